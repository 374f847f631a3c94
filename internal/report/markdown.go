package report

import (
	"bytes"
	"fmt"
	"strings"
)

func init() { Register("markdown", writeMarkdown) }

// writeMarkdown is the report for a pull request or a job's summary page: the
// verdict first, what did not pass next, then a table per scenario.
func writeMarkdown(b *bytes.Buffer, in Input) error {
	s := in.Summary
	fmt.Fprintf(b, "## deadlinelab: %s\n\n%s", s.Verdict, s.Counts.tally())
	if s.Status != "" {
		fmt.Fprintf(b, ", run %s", md(string(s.Status)))
	}
	b.WriteString(".\n\n")
	for _, m := range s.Mismatches {
		fmt.Fprintf(b, "**The run is not what it was**: %s\n\n", md(m))
	}
	markdownFindings(b, in)
	markdownClients(b, s.Clients)
	if m := newMatrix(in, s.groups()); len(m.Rows) > 1 && m.Rows[0].Rung != "" {
		markdownLadder(b, m)
	}
	for _, g := range s.groups() {
		markdownGroup(b, in, g)
		markdownNotes(b, s.notesOf(g))
	}
	for _, n := range s.shared() {
		fmt.Fprintf(b, "All series: %s\n\n", md(n.text))
	}
	markdownMeanings(b, s)
	return nil
}

// markdownMeanings says what the columns and the marks in them mean.
func markdownMeanings(b *bytes.Buffer, s *Summary) {
	b.WriteString(markdownLegend)
	if unreported := s.unreportedMeans(); unreported != "" {
		fmt.Fprintf(b, "–: %s.\n", md(unreported))
	}
	if s.Counts.NotApplicable > 0 {
		fmt.Fprintf(b, "n/a: %s.\n", md(notApplicableMeans))
	}
	if late := s.lateMeans(); late != "" {
		fmt.Fprintf(b, "late: %s.\n", md(late))
	}
}

func markdownFindings(b *bytes.Buffer, in Input) {
	list := in.Summary.findings()
	if len(list) == 0 {
		return
	}
	b.WriteString("| verdict | scenario | variant | requirement | expected | actual | reason | next |\n|---|---|---|---|---|---|---|---|\n")
	for _, f := range list {
		next := code(in.next(f))
		if again := in.again(f); again != "" {
			next += "; again: " + code(again)
		}
		fmt.Fprintf(b, "| **%s** | %s | %s | %s | %s | %s | %s | %s |\n", f.check.Verdict, md(f.series.Scenario), md(fullName(f.series.Label, f.series.Variant)),
			md(f.check.Requirement), md(f.check.Expected), md(f.check.Actual), md(f.check.Reason), next)
	}
	b.WriteString("\n")
}

func markdownGroup(b *bytes.Buffer, in Input, g group) {
	fmt.Fprintf(b, "### %s\n\n", md(g.name))
	if s := in.scenarioNamed(g.name); s != nil {
		fmt.Fprintf(b, "%s\n\n", md(s.Question))
	}
	b.WriteString("| variant | n | outcome | median ms [95 % interval] | overshoot ms, median / p95 (noise floor) | attempts | requests | promise | verdict |\n")
	b.WriteString("|---|--:|---|--:|--:|--:|--:|---|---|\n")
	for _, s := range g.series {
		if s.NotApplicable != "" {
			fmt.Fprintf(b, "| %s | | n/a | | | | | | not applicable |\n", md(fullName(s.Label, s.Variant)))
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", md(fullName(s.Label, s.Variant)), strings.TrimPrefix(nText(s.Series), "n "),
			md(short(s.Outcomes, outcomeOrder, s.N)), markdownMedian(s),
			pairText(s.OvershootMs, "%+.1f")+" ("+pairText(s.NoiseFloorMs, "%.1f")+")", md(short(s.Attempts, nil, s.N)), md(short(s.ServerRequests, nil, s.N)),
			md(promisesText(s.Series)), s.Verdict)
	}
	b.WriteString("\n")
}

// markdownMedian is net of a start-up where there is one, with the raw one beside it.
func markdownMedian(s Series) string {
	text := medianText(s.JudgedMs()) + " [" + intervalText(s.JudgedMs()) + "]"
	if raw := rawText(s.Series); raw != "" {
		text += "; " + raw
	}
	return text
}

// markdownClients are the programs in processes of their own.
func markdownClients(b *bytes.Buffer, clients []Client) {
	if len(clients) == 0 {
		return
	}
	b.WriteString("| client | | made of | set up | command |\n|---|---|---|---|---|\n")
	for _, c := range clients {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", md(c.Name), kindWords[c.Kind], md(c.Made()), md(c.Set()), code(c.Called()))
	}
	b.WriteString("\n")
}

func markdownNotes(b *bytes.Buffer, list []note) {
	for _, n := range list {
		fmt.Fprintf(b, "- %s: %s\n", md(n.about()), md(n.text))
	}
	if len(list) > 0 {
		b.WriteString("\n")
	}
}

const markdownLegend = `promise: what the caller got. verdict: whether the scenario's expectation of it held.
overshoot: end of the operation minus the caller's deadline; the noise floor is how late deadlines were on this machine during this run.
n: valid operations; left out are invalid ones (fault not proven to have fired) and disturbed ones (a stall of the machine explains them).
`

// md escapes text for a cell of a markdown table and for any line of markdown.
func md(text string) string {
	var b strings.Builder
	previous := ' '
	for _, r := range plain(text) {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*[]|~#!", r), r == '_' && !wordy(previous):
			b.WriteString("\\" + string(r))
		default:
			b.WriteRune(r)
		}
		previous = r
	}
	return b.String()
}

// wordy letters keep an underscore from opening an emphasis.
func wordy(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
}

// code is a command to copy; what could end the code span or the cell is taken out.
func code(text string) string {
	return "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(plain(text)) + "`"
}
