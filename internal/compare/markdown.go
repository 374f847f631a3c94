package compare

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
)

// writeMarkdown is the comparison for a pull request: the verdict first, then
// what differs, and the rest folded away.
func writeMarkdown(b *bytes.Buffer, c *Comparison) error {
	fmt.Fprintf(b, "## deadlinelab compare: %s\n\n", c.summary())
	fmt.Fprintf(b, "- old: %s\n- new: %s\n", textui.Markdown(c.Old.text()), textui.Markdown(c.New.text()))
	if c.Doubt != "" {
		fmt.Fprintf(b, "- **doubt**: %s: every series is inconclusive\n", textui.Markdown(c.Doubt))
	}
	for _, n := range c.Notes {
		fmt.Fprintf(b, "- note: %s\n", textui.Markdown(n))
	}
	markdownLacking(b, "only old has", c.OnlyOld)
	markdownLacking(b, "only new has", c.OnlyNew)
	b.WriteString("\n")
	markdownSeries(b, c)
	b.WriteString(markdownLegend)
	return nil
}

func markdownSeries(b *bytes.Buffer, c *Comparison) {
	var differ, same []Series
	for _, s := range c.Series {
		if s.Verdict == Same {
			same = append(same, s)
		} else {
			differ = append(differ, s)
		}
	}
	markdownTable(b, differ, c.Doubt)
	if len(same) > 0 {
		fmt.Fprintf(b, "<details><summary>%d series without a difference</summary>\n\n", len(same))
		markdownTable(b, same, c.Doubt)
		b.WriteString("</details>\n\n")
	}
}

func markdownLacking(b *bytes.Buffer, head string, list []Name) {
	if len(list) > 0 {
		fmt.Fprintf(b, "- %s: %s\n", head, textui.Markdown(joined(list)))
	}
}

func markdownTable(b *bytes.Buffer, list []Series, doubt string) {
	if len(list) == 0 {
		return
	}
	b.WriteString("| scenario | variant | median, ms | difference [95 % interval] of margin, ms | verdict | remarks |\n|---|---|--:|--:|---|---|\n")
	for _, s := range list {
		medians, differences := markdownTimes(s)
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", textui.Markdown(s.Scenario), textui.Markdown(s.variant()), medians, differences,
			markdownVerdict(s.Verdict), cells(s.remarks(doubt)))
	}
	b.WriteString("\n")
}

func markdownTimes(s Series) (medians, differences string) {
	if s.Ending.Changed {
		return "outcomes changed", ""
	}
	var a, d []string
	for _, t := range s.Times {
		a, d = append(a, t.medians()), append(d, t.difference())
	}
	return cells(a), cells(d)
}

// cells puts several lines into one cell.
func cells(lines []string) string {
	escaped := make([]string, len(lines))
	for i, l := range lines {
		escaped[i] = textui.Markdown(l)
	}
	return strings.Join(escaped, "<br>")
}

func markdownVerdict(v Verdict) string {
	if v == Same {
		return textui.Markdown(v.Mark())
	}
	return "**" + string(v) + "**"
}

const markdownLegend = `difference: of the medians, new minus old, within one outcome; over: past the deadline the overshoot is compared.
~: no difference, the whole interval lies within the margin.
`
