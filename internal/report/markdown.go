package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

func init() { Register("markdown", writeMarkdown) }

// writeMarkdown is the report for a pull request or a job's summary page: the
// verdict first, what did not pass next, then a table per scenario.
func writeMarkdown(b *bytes.Buffer, in view.Input) error {
	s := in.Summary
	fmt.Fprintf(b, "## deadlinelab: %s\n\n%s", s.Verdict, s.Counts.Tally())
	if s.Status != "" {
		fmt.Fprintf(b, ", run %s", textui.Markdown(string(s.Status)))
	}
	b.WriteString(".\n\n")
	for _, m := range s.Mismatches {
		fmt.Fprintf(b, "**The run is not what it was**: %s\n\n", textui.Markdown(m))
	}
	markdownFindings(b, in)
	markdownClients(b, s.Clients)
	if m := view.NewMatrix(in, s.Groups()); len(m.Rows) > 1 && m.Rows[0].Rung != "" {
		markdownLadder(b, m)
	}
	for _, g := range s.Groups() {
		markdownGroup(b, in, g)
		markdownNotes(b, s.NotesOf(g))
	}
	for _, n := range s.Shared() {
		fmt.Fprintf(b, "All series: %s\n\n", textui.Markdown(n.Text))
	}
	markdownMeanings(b, s)
	return nil
}

// markdownMeanings says what the columns and the marks in them mean.
func markdownMeanings(b *bytes.Buffer, s *verdict.Summary) {
	b.WriteString(markdownLegend)
	if unreported := s.UnreportedMeans(); unreported != "" {
		fmt.Fprintf(b, "–: %s.\n", textui.Markdown(unreported))
	}
	if s.Counts.NotApplicable > 0 {
		fmt.Fprintf(b, "n/a: %s.\n", textui.Markdown(wording.NotApplicableMeans))
	}
	if late := s.LateMeans(); late != "" {
		fmt.Fprintf(b, "late: %s.\n", textui.Markdown(late))
	}
}

func markdownFindings(b *bytes.Buffer, in view.Input) {
	list := in.Summary.Findings()
	if len(list) == 0 {
		return
	}
	b.WriteString("| verdict | scenario | variant | requirement | expected | actual | reason | next |\n|---|---|---|---|---|---|---|---|\n")
	for _, f := range list {
		next := textui.Code(in.Next(f))
		if again := in.Again(f); again != "" {
			next += "; again: " + textui.Code(again)
		}
		fmt.Fprintf(b, "| **%s** | %s | %s | %s | %s | %s | %s | %s |\n", f.Check.Verdict, textui.Markdown(f.Series.Scenario), textui.Markdown(textui.FullName(f.Series.Label, f.Series.Variant)),
			textui.Markdown(f.Check.Requirement), textui.Markdown(f.Check.Expected), textui.Markdown(f.Check.Actual), textui.Markdown(f.Check.Reason), next)
	}
	b.WriteString("\n")
}

func markdownGroup(b *bytes.Buffer, in view.Input, g verdict.Group) {
	fmt.Fprintf(b, "### %s\n\n", textui.Markdown(g.Name))
	if s := in.ScenarioNamed(g.Name); s != nil {
		fmt.Fprintf(b, "%s\n\n", textui.Markdown(s.Question))
	}
	b.WriteString("| variant | n | outcome | median ms [95 % interval] | overshoot ms, median / p95 (noise floor) | attempts | requests | promise | verdict |\n")
	b.WriteString("|---|--:|---|--:|--:|--:|--:|---|---|\n")
	for _, s := range g.Series {
		if s.NotApplicable != "" {
			fmt.Fprintf(b, "| %s | | n/a | | | | | | not applicable |\n", textui.Markdown(textui.FullName(s.Label, s.Variant)))
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", textui.Markdown(textui.FullName(s.Label, s.Variant)), strings.TrimPrefix(wording.NText(s.Series), "n "),
			textui.Markdown(wording.Short(s.Outcomes, wording.OutcomeOrder, s.N)), markdownMedian(s),
			wording.PairText(s.OvershootMs, "%+.1f")+" ("+wording.PairText(s.NoiseFloorMs, "%.1f")+")", textui.Markdown(wording.Short(s.Attempts, nil, s.N)), textui.Markdown(wording.Short(s.ServerRequests, nil, s.N)),
			textui.Markdown(wording.PromisesText(s.Series)), s.Verdict)
	}
	b.WriteString("\n")
}

// markdownMedian is net of a start-up where there is one, with the raw one beside it.
func markdownMedian(s verdict.Series) string {
	text := wording.MedianText(s.JudgedMs()) + " [" + wording.IntervalText(s.JudgedMs()) + "]"
	if raw := wording.RawText(s.Series); raw != "" {
		text += "; " + raw
	}
	return text
}

// markdownClients are the programs in processes of their own.
func markdownClients(b *bytes.Buffer, clients []verdict.Client) {
	if len(clients) == 0 {
		return
	}
	b.WriteString("| client | | made of | set up | command |\n|---|---|---|---|---|\n")
	for _, c := range clients {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", textui.Markdown(c.Name), verdict.KindWords[c.Kind], textui.Markdown(c.Made()), textui.Markdown(c.Set()), textui.Code(c.Called()))
	}
	b.WriteString("\n")
}

func markdownNotes(b *bytes.Buffer, list []verdict.Note) {
	for _, n := range list {
		fmt.Fprintf(b, "- %s: %s\n", textui.Markdown(n.About()), textui.Markdown(n.Text))
	}
	if len(list) > 0 {
		b.WriteString("\n")
	}
}

const markdownLegend = `promise: what the caller got. verdict: whether the scenario's expectation of it held.
overshoot: end of the operation minus the caller's deadline; the noise floor is how late deadlines were on this machine during this run.
n: valid operations; left out are invalid ones (fault not proven to have fired) and disturbed ones (a stall of the machine explains them).
`
