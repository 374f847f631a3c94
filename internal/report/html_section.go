package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/svg"
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
	Cell                             *matrixCell
	Name, Sentence, Outcome          string
	Median, Interval, P95, Max       string
	Repeats                          []string
	Overshoot, OvershootTail         string
	Attempts, Requests, N, Uncounted string
	Raw                              string // median as measured, where the others are net of a start-up
	Client                           *Client
}

func newSection(in Input, g group, a archive, firstSeries int) section {
	s := section{ID: scenarioID(g.name), Name: g.name, Checks: checksOf(g)}
	if file := in.scenarioNamed(g.name); file != nil {
		s.Question, s.Lesson = file.Question, file.Lesson
		s.Client, s.Upstream = Settings(file)
	}
	for _, one := range g.series {
		row := newSectionRow(one, a)
		row.Client = in.client(one.Variant)
		s.Rows = append(s.Rows, row)
	}
	for _, n := range in.Summary.notesOf(g) {
		s.Notes = append(s.Notes, n.about()+": "+n.text)
	}
	s.draw(g, a, firstSeries)
	return s
}

func newSectionRow(s Series, a archive) sectionRow {
	d := s.JudgedMs()
	r := sectionRow{Raw: rawText(s.Series), Cell: newMatrixCell(s), Name: fullName(s.Label, s.Variant), Outcome: plain(short(s.Outcomes, outcomeOrder, s.N)), Median: medianText(d), Interval: intervalText(d),
		P95: unknown, Max: unknown, Overshoot: unknown, Attempts: short(s.Attempts, nil, s.N), Requests: short(s.ServerRequests, nil, s.N), N: fmt.Sprintf("%d of %d", s.N, s.Planned)}
	r.Uncounted = strings.TrimPrefix(strings.TrimPrefix(nText(s.Series), "n "+r.N), ", ")
	if o := a.byID[s.Representative]; o != nil {
		r.Sentence = plain(Sentence(o))
	}
	if d != nil {
		r.P95, r.Max = fmt.Sprintf("%.1f", d.P95), fmt.Sprintf("%.1f", d.Max)
		for _, m := range d.RepeatMedians {
			r.Repeats = append(r.Repeats, fmt.Sprintf("%.1f", m))
		}
	}
	if s.NotApplicable != "" {
		r.Sentence, r.Outcome, r.N, r.Uncounted = "Not applicable: "+plain(s.NotApplicable)+".", notApplicableWord, "", ""
	}
	if q := s.OvershootMs; q != nil {
		r.Overshoot, r.OvershootTail = fmt.Sprintf("%+.1f", q.Median), fmt.Sprintf("%+.1f, %+.1f", floorP95(q), q.Max)
	}
	return r
}

// draw makes the three drawings of a scenario, unless nothing was measured.
func (s *section) draw(g group, a archive, firstSeries int) {
	subjects := a.representatives(g)
	if len(subjects) == 0 {
		return
	}
	id := slug(g.name)
	name := plain(g.name)
	s.Strip = inPage(stripDrawing(g, a, firstSeries, SVGOptions{Title: "Every operation of " + name + " as a dot; the figures above say the same", ID: "strip-" + id}))
	s.Where = inPage(whereDrawing(subjects, SVGOptions{Title: "Where the time of the typical operations of " + name + " went", Text: whereInWords(subjects), ID: "where-" + id}))
	chart := NewDetailedChart(subjects)
	s.Timeline = TimelineSVG(chart, SVGOptions{Title: "Timelines of " + name + "; the tables below name every moment", ID: "timeline-" + id})
	s.Legend = legendKeys(chart)
	for _, b := range chart.Blocks {
		s.Moments = append(s.Moments, newMomentTable(b))
	}
}

func whereInWords(subjects []Subject) string {
	var lines []string
	for _, s := range subjects {
		var parts []string
		for _, p := range phases(s.Operation.Where) {
			if p.ms >= 1 {
				parts = append(parts, p.name+" "+msText(p.ms)+" ms")
			}
		}
		lines = append(lines, fullName(s.Operation.Label, s.Operation.Variant)+": "+strings.Join(parts, ", "))
	}
	return strings.Join(lines, "; ")
}

// legendKeys explain the fills that occur, each with a swatch of its own.
func legendKeys(c Chart) []template.HTML {
	used := c.kinds()
	var keys []template.HTML
	for _, entry := range svgLegend {
		if used[entry.kind] || used[entry.or] {
			swatch := svg.New("svg", "class", "drawing swatch", "viewBox", "0 0 24 14", "aria-hidden", "true").Add(swatch(entry.kind, 0, 0))
			keys = append(keys, "<span>"+inPage(swatch)+" "+template.HTML(template.HTMLEscapeString(entry.text))+"</span>")
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

func newMomentTable(b Block) momentTable {
	t := momentTable{Op: b.Op, Name: fullName(b.Label, b.Variant)}
	name := ""
	for _, lane := range b.Lanes {
		if lane.Name != "" {
			name = lane.Name
		}
		for _, m := range lane.Marks {
			t.Rows = append(t.Rows, momentRow{m.AtMs, fmt.Sprintf("%.2f", m.AtMs), name, markText(m)})
		}
	}
	slices.SortStableFunc(t.Rows, func(x, y momentRow) int { return cmp.Compare(x.ms, y.ms) })
	return t
}
