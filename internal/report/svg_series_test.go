package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/svg"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

// scattered is a series of two outcomes, with an operation that is not
// counted, around a deadline of 1000 ms.
func scattered() view.Input {
	in := measured("slow_headers", fixture.SlowHeadersD(), fixture.SlowHeadersB())
	for i, ms := range []float64{1000.2, 1000.4, 1001.1, 1003.9, 20.5} {
		o := *in.Operations[0]
		o.Op, o.Index, o.DurationMs, o.Overshoot = fmt.Sprintf("slow_headers-r1-D-m01%02d", i), 100+i, ms, ms-1000
		switch i {
		case 3:
			o.Disturbed, o.Reasons = true, []string{"a stall of 4 ms"}
		case 4:
			o.Outcome, o.Promise = "success", timeline.Kept
		}
		in.Operations = append(in.Operations, &o)
	}
	return in
}

// Outcomes have rows of their own, what is not counted is a cross, and what
// ended far from the deadline is said in words.
func TestStripSVG(t *testing.T) {
	in := scattered()
	g := in.Summary.Groups()[0]
	drawn := svg.StripDrawing(g, view.NewArchive(in.Operations), 0, svg.SVGOptions{Title: "strip", Standalone: true}).Bytes()
	wellFormed(t, drawn)
	fixture.Golden(t, "strip.svg", drawn)
	for _, want := range []string{"deadline_exceeded · 5", "success · 1", "← 1 ended 980 ms before", "1 ended 502 ms after →", "dots uncounted"} {
		if !strings.Contains(string(drawn), want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// The page's script finds an operation by the place of its dot.
func TestDotsAreInTheOrderOfThePackedOperations(t *testing.T) {
	in := scattered()
	groups, a := in.Summary.Groups(), view.NewArchive(in.Operations)
	ops := pack(groups, a).Series[0]
	list := a.Of(groups[0].Series[0].Series)
	for i, o := range list {
		if got := ops.Prefix + ops.Ops[i][0].(string); got != o.Op {
			t.Errorf("dot %d is %s, packed is %s", i, o.Op, got)
		}
	}
	dots := 0
	for path := range strings.SplitSeq(string(svg.StripDrawing(groups[0], a, 0, svg.SVGOptions{}).Bytes()), "<path ") {
		if strings.Contains(path, `data-series="0"`) {
			if want := fmt.Sprintf(`data-first="%d"`, dots); !strings.Contains(path, want) {
				t.Errorf("%d dots come before %s", dots, path)
			}
			dots += strings.Count(path, "M")
		}
	}
	if dots != len(list) {
		t.Errorf("%d dots for %d operations", dots, len(list))
	}
}

// The parts of a duration lie end to end, and both metrics stand below.
func TestWhereSVG(t *testing.T) {
	c, d := fixture.SemaphoreC(), fixture.SlowHeadersD()
	c.Operation.Where = timeline.Where{Admission: 1100.1, ConnectionWait: 0.2, Server: 20.2, Body: 0.1, Cleanup: 0.1}
	d.Operation.Where = timeline.Where{Server: 801, Backoff: 198.8, Cleanup: 0.9}
	drawn := svg.WhereDrawing([]chart.Subject{c, d}, svg.SVGOptions{Title: "where", Standalone: true}).Bytes()
	wellFormed(t, drawn)
	fixture.Golden(t, "where.svg", drawn)
}

func TestMatrixSVG(t *testing.T) {
	files, err := Files("svg", measured("slow_headers", fixture.SlowHeadersB(), fixture.SlowHeadersD(), fixture.HangG()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
		wellFormed(t, f.Data)
	}
	if got := strings.Join(names, " "); got != "matrix.svg slow_headers.svg slow_headers-B.svg slow_headers-D.svg slow_headers-G.svg" {
		t.Errorf("files %s", got)
	}
	fixture.Golden(t, "matrix.svg", files[0].Data)
	var stream bytes.Buffer
	if err := Write("svg", &stream, measured("slow_headers", fixture.SlowHeadersB(), fixture.SlowHeadersD(), fixture.HangG())); err != nil || !bytes.Equal(stream.Bytes(), files[0].Data) {
		t.Errorf("a stream has another matrix than the directory (%v)", err)
	}
}

func TestRegisterFilesTwicePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a second set of files of the same name was accepted")
		}
	}()
	RegisterFiles("svg", svgFiles)
}
