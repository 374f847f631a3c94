package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// The drawing of every kind of wait, as a file of its own.
func TestTimelineSVG(t *testing.T) {
	for _, d := range demos {
		t.Run(d.name, func(t *testing.T) {
			drawn := timelineFile(d.name, d.question, NewDetailedChart(d.subjects)).Data
			wellFormed(t, drawn)
			golden(t, "timeline_"+d.name+".svg", drawn)
		})
	}
}

func wellFormed(t *testing.T, data []byte) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v at byte %d", err, decoder.InputOffset())
		}
	}
}

// A standalone drawing leaves no custom property open, since slide programs
// know none, and needs nothing from elsewhere.
func TestStandaloneSVGIsComplete(t *testing.T) {
	drawn := string(timelineFile("x", "", NewDetailedChart([]Subject{semaphoreC()})).Data)
	for _, forbidden := range []string{"var(", "href", "@import", "url(http"} {
		if strings.Contains(drawn, forbidden) {
			t.Errorf("%q occurs", forbidden)
		}
	}
	if !strings.Contains(drawn, `xmlns="http://www.w3.org/2000/svg"`) {
		t.Error("no namespace")
	}
}

// What a scenario or a log says stays text.
func TestSVGEscapes(t *testing.T) {
	hostile := semaphoreC()
	hostile.Operation.Variant = `<script>alert(1)</script>`
	hostile.Operation.Label = "\"><x onload=y>\x1b[2J"
	hostile.Operation.Attempts[0].Limit = `--></style>`
	out := string(TimelineSVG(NewDetailedChart([]Subject{hostile}), SVGOptions{Title: `"><script>`, Text: `</svg><script>`}))
	wellFormed(t, []byte(out))
	for _, forbidden := range []string{"<script", "<x", "</style>", "\x1b"} {
		if strings.Contains(out, forbidden) {
			t.Errorf("%q came through", forbidden)
		}
	}
}

// A moment stands where the axis says: the numbers of the axis and the bars
// use one scale.
func TestTimelineIsToScale(t *testing.T) {
	p := &timelinePlot{chart: Chart{EndMs: 2000}, options: SVGOptions{Width: 1000}}
	if p.x(0) != plotLeft || p.x(2000) != 1000-plotRight {
		t.Errorf("the axis reaches from %g to %g", p.x(0), p.x(2000))
	}
	if middle := (p.x(0) + p.x(2000)) / 2; p.x(1000) != middle {
		t.Errorf("1000 of 2000 ms is at %g, the middle at %g", p.x(1000), middle)
	}
}
