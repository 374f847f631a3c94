package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/svg"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// page is everything that assets/page.html shows.
type page struct {
	pageFrame
	Title       string
	Label       string
	Status      rundir.Status
	Mismatches  []string // what in the run's directory is not what the run wrote
	Incomplete  string   // why, as a sentence; empty for a complete run
	Tried       string
	LateMeans   string
	Verdict     view.VerdictMark
	VerdictWord verdict.Verdict
	Tally       string
	Failures    []pageFinding
	Doubts      []pageFinding
	Matrix      view.Matrix
	Legend      []promiseKey
	Sections    []section
	runFacts
	Data template.JS

	NotApplicable string // what n/a means, where it occurs
	Unreported    string // why figures are missing, where they are
	Clients       []verdict.Client
}

// promiseKey explains a promise.
type promiseKey struct{ Class, Glyph, Word, Meaning, Gap string }

func promiseKeys() []promiseKey {
	meanings := map[timeline.Promise]string{timeline.Kept: "an answer within the budget", timeline.FailedInTime: "an error within the budget", timeline.Late: "anything, after the deadline",
		timeline.Unbounded: "nothing: only the bench ended the call", timeline.CancelledByCaller: "control back after its own cancel"}
	var keys []promiseKey
	for i, p := range timeline.Promises {
		d := wording.DressOf(string(p))
		gap := ","
		if i == len(timeline.Promises)-1 {
			gap = "."
		}
		keys = append(keys, promiseKey{d.Class, d.Glyph, d.Word, meanings[p], gap})
	}
	return keys
}

func newPage(in view.Input) (*page, error) {
	groups, a := in.Summary.Groups(), view.NewArchive(in.Operations)
	p := &page{pageFrame: frameOf(svg.DrawingStyle()+pageCSS, timelineJS+pageJS), Title: "deadlinelab report", Verdict: view.VerdictMarks[in.Summary.Verdict], VerdictWord: in.Summary.Verdict,
		Tally: in.Summary.Counts.Tally(), Matrix: view.NewMatrix(in, groups), Legend: promiseKeys(), runFacts: newRunFacts(in)}
	p.describeRun(in)
	p.findings(in)
	first := 0
	for _, g := range groups {
		p.Sections = append(p.Sections, newSection(in, g, a, first))
		first += len(g.Series)
	}
	var err error
	p.Data, err = embedded(pack(groups, a))
	return p, err
}

// describeRun says what was tried, and whether the run got to its end.
func (p *page) describeRun(in view.Input) {
	p.Status, p.Mismatches = in.Summary.Status, in.Summary.Mismatches
	if p.Status != rundir.Complete {
		p.Incomplete = "It did not get to its end."
		if p.Status == "" {
			p.Status = "of unknown status"
		}
	}
	if r := in.Run; r != nil {
		p.Label = textui.Plain(r.Label)
		if p.Incomplete != "" && r.Why != "" {
			p.Incomplete = "It ended early: " + textui.Plain(r.Why) + "."
		}
		p.Title += ": " + textui.Plain(r.Label)
	}
	p.Tried = tried(in, len(p.Matrix.Columns), len(p.Matrix.Rows))
	p.LateMeans, p.Clients, p.Unreported = in.Summary.LateMeans(), in.Summary.Clients, in.Summary.UnreportedMeans()
	if in.Summary.Counts.NotApplicable > 0 {
		p.NotApplicable = wording.NotApplicableMeans
	}
}

func tried(in view.Input, variants, scenarios int) string {
	text := fmt.Sprintf("%d %s met %d %s of an upstream that makes a client wait.", variants, noun(variants, "client"), scenarios, noun(scenarios, "scenario"))
	measured := 0
	for _, s := range in.Summary.Series {
		measured += s.N
	}
	text += fmt.Sprintf(" In each the caller grants a budget%s; %d operations show whether control was back with it in time, and what the metrics would have said.", in.Summary.SameBudget(), measured)
	return strings.TrimSpace(text)
}
