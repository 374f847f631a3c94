package serve

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/svg"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// revealed is what the template reveal.html shows.
type revealed struct {
	Scenario  *scenario.Scenario
	Hits      int
	Predicted int
	Variants  []revealedVariant
	Picture   template.HTML
	Code      []codeRow
	Left      variants.Variant
	Right     variants.Variant
}

type revealedVariant struct {
	Label, Name string
	Rows        []compared
	Sentence    string
	Promise     timeline.Promise
	Valid       bool
	Reasons     []string
	Journal     []journalLine
}

// reveal compares what was predicted with what was measured, and shows why.
func (d *pairRun) reveal(subjects []chart.Subject) (string, error) {
	view := revealed{Scenario: d.scenario, Picture: picture(subjects)}
	for _, s := range subjects {
		v := d.variant(s)
		hits, predicted := right(v.Rows)
		view.Hits, view.Predicted = view.Hits+hits, view.Predicted+predicted
		view.Variants = append(view.Variants, v)
	}
	var err error
	if view.Left, view.Right, view.Code, err = d.code(); err != nil {
		return "", err
	}
	return render("reveal", view)
}

func picture(subjects []chart.Subject) template.HTML {
	var words []string
	for _, s := range subjects {
		words = append(words, s.Operation.Label+": "+chart.Sentence(s.Operation))
	}
	return svg.TimelineSVG(chart.NewDetailedChart(subjects), svg.SVGOptions{
		Title: "One operation of each client on one time axis", Text: strings.Join(words, " "), ID: "final-"})
}

func (d *pairRun) variant(s chart.Subject) revealedVariant {
	o := s.Operation
	return revealedVariant{Label: o.Label, Name: o.Variant, Rows: compare(d.known[o.Variant], o), Sentence: chart.Sentence(o),
		Promise: o.Promise, Valid: o.Valid, Reasons: o.Reasons, Journal: journal(s)}
}

// journalLine is one event in the table below a picture. Other: of the call
// that stood in the way.
type journalLine struct {
	Ms, Side, Event string
	Other           bool
}

func journal(s chart.Subject) []journalLine {
	lines := make([]journalLine, len(s.Journal))
	for i, e := range s.Journal {
		ms := math.Round(e.Ms*10)/10 + 0 // what is printed, and never -0.0
		lines[i] = journalLine{fmt.Sprintf("%.1f", ms), e.Side, string(e.Kind), e.Op != s.Operation.Op}
	}
	return lines
}
