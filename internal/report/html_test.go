package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

func htmlOf(t *testing.T, in view.Input) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write("html", &b, in); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// measured is a run of the literal operations, one series each.
func measured(name string, subjects ...chart.Subject) view.Input {
	in := view.Input{Summary: &verdict.Summary{Status: rundir.Complete}, Scenarios: []*scenario.Scenario{fixture.Setup(name, "Who waits?", &fault.SlowHeaders{ResponseDelayMs: 800})}}
	for i, s := range subjects {
		own := *s.Operation
		o := &own
		o.Scenario, o.Op, o.Repeat, o.Index = name, fmt.Sprintf("%s-r1-%s-m%04d", name, o.Label, i), 1, i
		one := fixture.Series(name, o.Label, o.Variant, string(o.Outcome), string(o.Promise), o.DurationMs, fmt.Sprint(len(o.Attempts)), fmt.Sprint(o.ServerRequests))
		one.Representative = o.Op
		in.Summary.Series = append(in.Summary.Series, verdict.Series{Series: one, Checks: []verdict.Check{{Requirement: "outcome", Expected: string(o.Outcome), Actual: string(o.Outcome) + " 90 of 90", Verdict: verdict.Pass}}})
		in.Operations = append(in.Operations, o)
		for _, h := range s.Helpers {
			helper := *h
			helper.For = o.Op
			in.Operations = append(in.Operations, &helper)
		}
	}
	in.Summary.Finalize()
	return in
}

// A page allows exactly its own style and script, by their digests, and names
// nothing that lies elsewhere.
func TestPageIsSelfContained(t *testing.T) {
	page := htmlOf(t, measured("slow_headers", fixture.SlowHeadersB(), fixture.SlowHeadersD()))
	style := enclosed(t, page, "<style>", "</style>")
	script := enclosed(t, page, "<script>", "</script>")
	policy := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(enclosed(t, page, `Content-Security-Policy" content="`, `"`))
	for _, want := range []string{"default-src 'none'", "style-src " + digest(style) + ";", "script-src " + digest(script) + ";", "img-src data:"} {
		if !strings.Contains(policy+";", want) {
			t.Errorf("the policy lacks %s: %s", want, policy)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("the policy allows something unsafe: %s", policy)
	}
	for _, remote := range []string{" src=", "<link", "@import", "url(", "//cdn", "fetch(", "XMLHttpRequest"} {
		if strings.Contains(page, remote) {
			t.Errorf("%q occurs", remote)
		}
	}
	if inline := regexp.MustCompile(`<[a-z][^>]* (style|on[a-z]+)=`).FindString(page); inline != "" {
		t.Errorf("the policy forbids what stands in %q", inline)
	}
}

func enclosed(t *testing.T, text, from, to string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, from)
	inside, _, ended := strings.Cut(rest, to)
	if !found || !ended {
		t.Fatalf("nothing between %q and %q", from, to)
	}
	return inside
}

// hostileText is what a scenario file or a log might hold.
const hostileText = "<script>alert(1)</script> \"'> --></style></script><!-- \x1b[2J {{.}} ${x} `"

// Whatever scenario files and logs say stays text: in the page, in its data
// and in its drawings.
func TestPageEscapes(t *testing.T) {
	subject := fixture.SlowHeadersB()
	subject.Operation.Variant, subject.Operation.Label = hostileText+"v", hostileText+"l"
	subject.Operation.Attempts[0].Limit = hostileText
	subject.Operation.Reasons, subject.Operation.Valid = []string{hostileText}, false
	in := measured(hostileText, subject)
	s := in.Scenarios[0]
	s.Question, s.Lesson, s.Type = hostileText, hostileText, hostileText
	in.VariantSummaries = map[string]string{subject.Operation.Variant: hostileText}
	in.Run = &rundir.Run{Label: hostileText, Why: hostileText, Arguments: []string{hostileText}, Noise: map[string]rundir.Noise{hostileText: {}}, Environment: rundir.Environment{Kernel: hostileText}}
	in.Summary.Status = rundir.Aborted
	one := &in.Summary.Series[0]
	one.Warnings = []string{hostileText}
	one.Outcomes = map[string]int{hostileText: 90}
	one.Checks = []verdict.Check{{Requirement: hostileText, Expected: hostileText, Actual: hostileText, Verdict: verdict.Fail, Reason: hostileText}}
	in.Summary.Finalize()
	page := htmlOf(t, in)
	clean := htmlOf(t, measured("slow_headers", fixture.SlowHeadersB()))
	for _, tag := range []string{"<script", "</script", "<style", "</style", "<!--", "-->", "\x1b"} {
		if got, want := strings.Count(page, tag), strings.Count(clean, tag); got != want {
			t.Errorf("%q occurs %d times, in a harmless page %d times", tag, got, want)
		}
	}
}

// An incomplete run says so before anything else; what failed comes before
// the matrix.
func TestPageOrder(t *testing.T) {
	in := measured("slow_headers", fixture.SlowHeadersB(), fixture.SlowHeadersD())
	in.Summary.Status = rundir.Aborted
	in.Run = &rundir.Run{Status: rundir.Aborted, Why: "labserver died", Label: "core", Seed: 7, Arguments: []string{"run", "a b"}, Environment: rundir.Environment{Kernel: "6.1"}}
	in.Summary.Series[1].Checks[0].Verdict = verdict.Fail
	in.Summary.Finalize()
	page := htmlOf(t, in)
	last := -1
	for _, piece := range []string{"This run is aborted", "It ended early: labserver died", "<h1>", "D operation_deadline", `id="failures"`, `id="matrix"`, `id="s-slow_headers"`, "The figures", `id="strip-slow_headers"`,
		`id="where-slow_headers"`, `id="timeline-slow_headers"`, `id="run"`, "bench run &#39;a b&#39;", "seed</dt><dd>7", "kernel 6.1"} {
		at := strings.Index(page, piece)
		if at <= last {
			t.Errorf("%q is at %d, what comes before it at %d", piece, at, last)
		}
		last = at
	}
	if strings.Contains(htmlOf(t, measured("slow_headers", fixture.SlowHeadersB())), `class="banner"`) {
		t.Error("a complete run carries a banner")
	}
}

// With scripts blocked the address of a typical operation still leads to it.
func TestTypicalOperationHasAnAddress(t *testing.T) {
	page := htmlOf(t, measured("slow_headers", fixture.SlowHeadersB(), fixture.SlowHeadersD()))
	for _, op := range []string{"slow_headers-r1-B-m0000", "slow_headers-r1-D-m0001"} {
		if !strings.Contains(page, `id="op=`+op+`"`) {
			t.Errorf("%s has no place in the page", op)
		}
	}
}

// Every drawing has a name, every table its heads.
func TestPageIsAccessible(t *testing.T) {
	page := htmlOf(t, measured("slow_headers", fixture.SlowHeadersB(), fixture.SlowHeadersD()))
	if named, all := strings.Count(page, `role="img" aria-label="`), strings.Count(page, "<svg")-strings.Count(page, `<svg class="drawing swatch"`); named != all {
		t.Errorf("%d of %d drawings have a name", named, all)
	}
	body, _, _ := strings.Cut(page, `<script type="application/json"`)
	if bare := regexp.MustCompile(`<th(>| [^>]*>)`).FindAllString(body, -1); len(bare) == 0 {
		t.Error("no table heads")
	} else {
		for _, th := range bare {
			if !strings.Contains(th, "scope=") {
				t.Errorf("%s has no scope", th)
			}
		}
	}
	for _, want := range []string{`<html lang="en">`, `class="skip"`, `<main>`, `prefers-color-scheme:dark`, `@media print`} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing", want)
		}
	}
}

// N = 90 of as many series as the core has stays under 3 MB, with figures that
// differ in every operation as they do in a run.
func TestPageSize(t *testing.T) {
	in := view.Input{Summary: &verdict.Summary{Status: rundir.Complete}}
	for n := range 73 {
		name := fmt.Sprintf("scenario_%02d", n/7)
		var list []*timeline.Operation
		for i := range 90 {
			o := fixture.SlowHeadersB().Operation
			o.Scenario, o.Label, o.Variant = name, string(rune('A'+n%7)), fmt.Sprintf("variant_number_%d", n%7)
			o.Op, o.Repeat, o.Index = fmt.Sprintf("%s-r%d-%s-m%04d", name, i/30+1, o.Label, i%30), i/30+1, i%30
			stretch(o, 1+float64((n*90+i)*7919%1000)/1e4)
			list = append(list, o)
		}
		one := fixture.Series(name, list[0].Label, list[0].Variant, "retries_exhausted", "late", 1501.9, "3", "3")
		one.Representative = list[45].Op
		in.Summary.Series = append(in.Summary.Series, verdict.Series{Series: one})
		in.Operations = append(in.Operations, list...)
	}
	in.Summary.Finalize()
	size := len(htmlOf(t, in))
	if size > 3_000_000 {
		t.Errorf("the page has %d bytes, more than 3 MB", size)
	}
}

// stretch makes every moment of an operation its own.
func stretch(o *timeline.Operation, by float64) {
	o.DurationMs *= by
	for i := range o.Attempts {
		a := &o.Attempts[i]
		a.FromMs, a.ToMs = a.FromMs*by, a.ToMs*by
		for j := range a.Exchanges {
			e := &a.Exchanges[j]
			e.StartMs *= by
			*e.ClientGoneMs *= by
			*e.HandlerEndMs *= by
		}
	}
	for i := range o.Backoffs {
		o.Backoffs[i].FromMs *= by
		o.Backoffs[i].ToMs *= by
	}
}
