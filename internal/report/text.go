package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/term"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

func init() { Register("text", writeText) }

// writeText is the report for a terminal: one table per scenario, what did not
// pass, a legend, and last, where the eye is, who was in time and the verdict.
func writeText(b *bytes.Buffer, in view.Input) error {
	t := textReport{b: &bytes.Buffer{}, in: in, options: term.Options{Width: in.Width, ASCII: in.ASCII, Colour: in.Colour}}
	t.clients()
	for _, g := range in.Summary.Groups() {
		if err := t.group(g); err != nil {
			return err
		}
	}
	t.findings()
	t.legend()
	t.ladder()
	t.promises()
	t.verdict()
	text := t.b.String()
	if in.ASCII {
		text = textui.ToASCII(text)
	}
	b.WriteString(text)
	return nil
}

type textReport struct {
	b       *bytes.Buffer
	in      view.Input
	options term.Options
}

func (t textReport) lines(lines ...string) {
	for _, l := range lines {
		t.b.WriteString(strings.TrimRight(l, " ") + "\n")
	}
}

func (t textReport) wrapped(head, text string) {
	t.lines(textui.Hang(head, textui.Plain(text), t.width())...)
}

// narrowest is the least that a line of text is wrapped to; only a word that is
// longer makes it longer.
const narrowest = 20

func (t textReport) width() int {
	if t.in.Width == 0 {
		return term.DefaultWidth
	}
	return max(t.in.Width, narrowest)
}

// headed is wrapped, with a verdict that has a colour: the first in it.
func (t textReport) headed(v verdict.Verdict, head, text string) {
	lines := textui.Hang(head, text, t.width())
	for i, line := range lines {
		if strings.Contains(line, string(v)) {
			lines[i] = strings.Replace(line, string(v), t.paint(v), 1)
			break
		}
	}
	t.lines(lines...)
}

func (t textReport) group(g verdict.Group) error {
	title := textui.Plain(g.Name)
	if s := t.in.ScenarioNamed(g.Name); s != nil && s.Question != "" {
		title += ": " + textui.Plain(s.Question)
	}
	t.lines(textui.Wrap(title, t.width(), "")...)
	if t.width() < term.DefaultWidth {
		t.stacked(g)
	} else if err := t.table(g); err != nil {
		return err
	}
	for _, n := range t.in.Summary.NotesOf(g) {
		t.wrapped("  note "+textui.Plain(n.About())+": ", n.Text)
	}
	t.lines("")
	return nil
}

// textColumns are the widths of a table that fits 100 columns.
var textColumns = [...]int{26, 21, 13, 16, 14}

func (t textReport) table(g verdict.Group) error {
	var out bytes.Buffer
	table := tablewriter.NewTable(&out, tablewriter.WithRenderer(renderer.NewBlueprint(plainRendition)), tablewriter.WithConfig(plainTable()))
	table.Header([]string{"variant\nverdict, n", "outcome\npromise", "median ms\n95 % interval", "overshoot ms\nmedian / p95", "attempts\nrequests"})
	for _, s := range g.Series {
		if err := table.Append(t.row(s)); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	t.lines(strings.Split(strings.TrimRight(out.String(), "\n"), "\n")...)
	return nil
}

// stacked is the table where it does not fit: a line for each figure.
func (t textReport) stacked(g verdict.Group) {
	for _, s := range g.Series {
		name := textui.FullName(s.Label, s.Variant)
		if s.NotApplicable != "" {
			t.wrapped("", name+": not applicable")
			continue
		}
		t.wrapped("", fmt.Sprintf("%s: %s, n %d of %d", name, s.Verdict, s.N, s.Planned))
		t.wrapped("  outcome    ", wording.Short(s.Outcomes, wording.OutcomeOrder, s.N))
		t.wrapped("  promise    ", wording.PromisesText(s.Series))
		t.wrapped("  median ms  ", wording.MedianText(s.JudgedMs())+" ["+wording.IntervalText(s.JudgedMs())+"]"+besides(wording.RawText(s.Series)))
		t.wrapped("  overshoot  ", wording.PairText(s.OvershootMs, "%+.1f")+" ms, floor "+wording.PairText(s.NoiseFloorMs, "%.1f"))
		t.wrapped("  attempts   ", wording.Short(s.Attempts, nil, s.N)+", requests "+wording.Short(s.ServerRequests, nil, s.N))
	}
}

var plainRendition = tw.Rendition{Borders: tw.BorderNone, Symbols: tw.NewSymbols(tw.StyleLight),
	Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off}, Lines: tw.Lines{ShowHeaderLine: tw.On, ShowTop: tw.Off, ShowBottom: tw.Off}}}

func plainTable() tablewriter.Config {
	left := tw.CellConfig{Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off}, Alignment: tw.CellAlignment{Global: tw.AlignLeft},
		Padding: tw.CellPadding{Global: tw.Padding{Left: "", Right: "  ", Overwrite: true}}}
	widths := tw.NewMapper[int, int]()
	for i, w := range textColumns {
		widths.Set(i, w+2)
	}
	return tablewriter.Config{Header: left, Row: left, Widths: tw.CellWidth{PerColumn: widths}, Behavior: tw.Behavior{TrimSpace: tw.Off}}
}

// row sets a figure above what to read beside it. Where one cell holds a mix
// the lower halves of all cells start on the same line.
func (t textReport) row(s verdict.Series) []string {
	name := textui.FullName(s.Label, s.Variant)
	if s.NotApplicable != "" {
		return stack([][2]string{{textui.Cut(name, textColumns[0], t.options.Glyphs().Cut), "  " + t.painted(s.Verdict, "not applicable")}, {wording.NotApplicableWord, ""}, {"", ""}, {"", ""}, {"", ""}})
	}
	interval := wording.IntervalText(s.DurationMs)
	if raw := wording.RawText(s.Series); raw != "" {
		interval = wording.IntervalText(s.NetDurationMs) + "\n" + raw
	}
	return stack([][2]string{
		{textui.Cut(name, textColumns[0], t.options.Glyphs().Cut), "  " + t.paint(s.Verdict) + fmt.Sprintf(", n %d of %d", s.N, s.Planned)},
		{column(wording.Short(s.Outcomes, wording.OutcomeOrder, s.N)), column(wording.PromisesText(s.Series))},
		{wording.MedianText(s.JudgedMs()), interval},
		{wording.PairText(s.OvershootMs, "%+.1f"), "floor " + wording.PairText(s.NoiseFloorMs, "%.1f")},
		{column(wording.Short(s.Attempts, nil, s.N)), column(wording.Short(s.ServerRequests, nil, s.N))},
	})
}

func stack(halves [][2]string) []string {
	height := 0
	for _, h := range halves {
		height = max(height, strings.Count(h[0], "\n"))
	}
	cells := make([]string, len(halves))
	for i, h := range halves {
		cells[i] = h[0] + strings.Repeat("\n", height-strings.Count(h[0], "\n")+1) + h[1]
	}
	return cells
}

// column puts the parts of a mix under each other.
func column(mix string) string { return strings.ReplaceAll(textui.Plain(mix), ", ", "\n") }

var verdictColours = map[verdict.Verdict]string{verdict.Pass: "32", verdict.Fail: "1;31", verdict.Inconclusive: "33", verdict.Unjudged: "2", verdict.NotApplicable: "2"}

func (t textReport) paint(v verdict.Verdict) string { return t.painted(v, string(v)) }

func (t textReport) painted(v verdict.Verdict, word string) string {
	if !t.options.Colour {
		return word
	}
	return term.Ansi("", verdictColours[v]) + word + term.Ansi(verdictColours[v], "")
}

func (t textReport) legend() {
	t.wrapped("promise    ", "what the caller got; verdict: whether the scenario's expectation of it held")
	t.wrapped("overshoot  ", "end minus the caller's deadline; floor: how late deadlines were on this machine")
	if late := t.in.Summary.LateMeans(); late != "" {
		t.wrapped("late       ", late)
	}
	t.wrapped("n          ", "valid operations; not counted: fault not proven, or disturbed by a stall")
	if t.in.Summary.Counts.Unjudged > 0 {
		t.wrapped("unjudged   ", "no scenario says what this client should show; bench run --require bounded judges its promise")
	}
	if unreported := t.in.Summary.UnreportedMeans(); unreported != "" {
		t.wrapped("–          ", unreported)
	}
	if t.in.Summary.Counts.NotApplicable > 0 {
		t.wrapped("n/a        ", wording.NotApplicableMeans)
	}
	for _, n := range t.in.Summary.Shared() {
		t.wrapped("note       ", "all series: "+n.Text)
	}
	t.lines("")
}

// promises says of each client where it was too late, and by how much: over
// several tables nobody keeps that in mind.
func (t textReport) promises() {
	m := view.NewMatrix(t.in, t.in.Summary.Groups())
	if len(m.Rows) < 2 || !slices.ContainsFunc(m.Columns, (*view.Column).Tried) {
		return
	}
	widest := 0
	for _, c := range m.Columns {
		widest = max(widest, textui.Width(c.Name()))
	}
	for _, c := range m.Ranked() {
		if c.Tried() {
			t.wrapped(c.Name()+strings.Repeat(" ", widest+2-textui.Width(c.Name())), c.InWords())
		}
	}
	t.lines("")
}

// manySetUps of several clients would stand on a screen of their own, before
// the first figure.
const manySetUps = 4

// clients say which programs in processes of their own were measured.
func (t textReport) clients() {
	list := t.in.Summary.Clients
	for _, c := range list {
		set := c.Set()
		if len(list) >= manySetUps {
			set = ""
		}
		t.wrapped("client "+textui.Plain(c.Name)+": ", c.InLine(set))
	}
	if len(list) >= manySetUps {
		t.wrapped("how they are set up: ", "bench report --format markdown, or html")
	}
	if len(list) > 0 {
		t.lines("")
	}
}

func (t textReport) verdict() {
	status := ""
	if t.in.Summary.Status != "" {
		status = ", run " + textui.Plain(string(t.in.Summary.Status))
	}
	for _, m := range t.in.Summary.Mismatches {
		t.wrapped("the run is not what it was: ", m)
	}
	t.headed(t.in.Summary.Verdict, "verdict: ", string(t.in.Summary.Verdict)+" ("+t.in.Summary.Counts.Tally()+status+")")
}
