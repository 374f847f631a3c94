package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/svg"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// section is one scenario in the page.
type section struct {
	ID, Name, Question, Lesson string
	Client, Upstream           string
	Rows                       []sectionRow
	Notes                      []string
	Strip, Where, Timeline     template.HTML // empty without operations
	Legend                     []template.HTML
	Moments                    []momentTable
	Checks                     []pageFinding
}

// sectionRow is one series with its figures as text.
type sectionRow struct {
	Cell                             *view.Cell
	Name, Sentence, Outcome          string
	Median, Interval, P95, Max       string
	Repeats                          []string
	Overshoot, OvershootTail         string
	Attempts, Requests, N, Uncounted string
	Raw                              string // median as measured, where the others are net of a start-up
	Client                           *verdict.Client
}

func newSection(in view.Input, g verdict.Group, a view.Archive, firstSeries int) section {
	s := section{ID: view.ScenarioID(g.Name), Name: g.Name, Checks: checksOf(g)}
	if file := in.ScenarioNamed(g.Name); file != nil {
		s.Question, s.Lesson = file.Question, file.Lesson
		s.Client, s.Upstream = wording.Settings(file)
	}
	for _, one := range g.Series {
		row := newSectionRow(one, a)
		row.Client = in.Client(one.Variant)
		s.Rows = append(s.Rows, row)
	}
	for _, n := range in.Summary.NotesOf(g) {
		s.Notes = append(s.Notes, n.About()+": "+n.Text)
	}
	s.draw(g, a, firstSeries)
	return s
}

func newSectionRow(s verdict.Series, a view.Archive) sectionRow {
	d := s.JudgedMs()
	r := sectionRow{Raw: wording.RawText(s.Series), Cell: view.NewMatrixCell(s), Name: textui.FullName(s.Label, s.Variant), Outcome: textui.Plain(wording.Short(s.Outcomes, wording.OutcomeOrder, s.N)), Median: wording.MedianText(d), Interval: wording.IntervalText(d),
		P95: wording.Unknown, Max: wording.Unknown, Overshoot: wording.Unknown, Attempts: wording.Short(s.Attempts, nil, s.N), Requests: wording.Short(s.ServerRequests, nil, s.N), N: fmt.Sprintf("%d of %d", s.N, s.Planned)}
	r.Uncounted = strings.TrimPrefix(strings.TrimPrefix(wording.NText(s.Series), "n "+r.N), ", ")
	if o := a.ByID[s.Representative]; o != nil {
		r.Sentence = textui.Plain(chart.Sentence(o))
	}
	if d != nil {
		r.P95, r.Max = fmt.Sprintf("%.1f", d.P95), fmt.Sprintf("%.1f", d.Max)
		for _, m := range d.RepeatMedians {
			r.Repeats = append(r.Repeats, fmt.Sprintf("%.1f", m))
		}
	}
	if s.NotApplicable != "" {
		r.Sentence, r.Outcome, r.N, r.Uncounted = "Not applicable: "+textui.Plain(s.NotApplicable)+".", wording.NotApplicableWord, "", ""
	}
	if q := s.OvershootMs; q != nil {
		r.Overshoot, r.OvershootTail = fmt.Sprintf("%+.1f", q.Median), fmt.Sprintf("%+.1f, %+.1f", wording.FloorP95(q), q.Max)
	}
	return r
}

// draw makes the three drawings of a scenario, unless nothing was measured.
func (s *section) draw(g verdict.Group, a view.Archive, firstSeries int) {
	subjects := a.Representatives(g)
	if len(subjects) == 0 {
		return
	}
	id := view.Slug(g.Name)
	name := textui.Plain(g.Name)
	s.Strip = svg.InPage(svg.StripDrawing(g, a, firstSeries, svg.SVGOptions{Title: "Every operation of " + name + " as a dot; the figures above say the same", ID: "strip-" + id}))
	s.Where = svg.InPage(svg.WhereDrawing(subjects, svg.SVGOptions{Title: "Where the time of the typical operations of " + name + " went", Text: whereInWords(subjects), ID: "where-" + id}))
	chart := chart.NewDetailedChart(subjects)
	s.Timeline = svg.TimelineSVG(chart, svg.SVGOptions{Title: "Timelines of " + name + "; the tables below name every moment", ID: "timeline-" + id})
	s.Legend = legendKeys(chart)
	for _, b := range chart.Blocks {
		s.Moments = append(s.Moments, newMomentTable(b))
	}
}

func whereInWords(subjects []chart.Subject) string {
	var lines []string
	for _, s := range subjects {
		var parts []string
		for _, p := range svg.Phases(s.Operation.Where) {
			if p.MS >= 1 {
				parts = append(parts, p.Name+" "+wording.MsText(p.MS)+" ms")
			}
		}
		lines = append(lines, textui.FullName(s.Operation.Label, s.Operation.Variant)+": "+strings.Join(parts, ", "))
	}
	return strings.Join(lines, "; ")
}

// legendKeys explain the fills that occur, each with a swatch of its own.
func legendKeys(c chart.Chart) []template.HTML {
	used := c.Kinds()
	var keys []template.HTML
	for _, entry := range svg.SvgLegend {
		if used[entry.Kind] || used[entry.Or] {
			swatch := svg.New("svg", "class", "drawing swatch", "viewBox", "0 0 24 14", "aria-hidden", "true").Add(svg.Swatch(entry.Kind, 0, 0))
			keys = append(keys, "<span>"+svg.InPage(swatch)+" "+template.HTML(template.HTMLEscapeString(entry.Text))+"</span>")
		}
	}
	return keys
}

// momentTable names every mark of a block.
type momentTable struct {
	Op, Name string
	Rows     []momentRow
}

type momentRow struct {
	ms         float64
	At         string
	Lane, What string
}

func newMomentTable(b chart.Block) momentTable {
	t := momentTable{Op: b.Op, Name: textui.FullName(b.Label, b.Variant)}
	name := ""
	for _, lane := range b.Lanes {
		if lane.Name != "" {
			name = lane.Name
		}
		for _, m := range lane.Marks {
			t.Rows = append(t.Rows, momentRow{m.AtMs, fmt.Sprintf("%.2f", m.AtMs), name, chart.MarkText(m)})
		}
	}
	slices.SortStableFunc(t.Rows, func(x, y momentRow) int { return cmp.Compare(x.ms, y.ms) })
	return t
}
