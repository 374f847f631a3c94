package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// waitTable sets the clients of a scenario under each other, those that were in
// time first.
func waitTable(b *bytes.Buffer, row view.Row) {
	b.WriteString("| client | the caller got | after ms | late by | outcome | attempts | requests | expected |\n|---|---|--:|--:|---|--:|--:|:-:|\n")
	for _, c := range inTimeFirst(row.Cells) {
		s := c.Series
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", textui.Markdown(textui.FullName(s.Label, s.Variant)), textui.Markdown(c.Dress.Glyph+" "+promiseMix(c)), wording.MedianText(s.JudgedMs()), textui.Markdown(c.LateBy()),
			textui.Markdown(wording.Short(s.Outcomes, wording.OutcomeOrder, s.N)), textui.Markdown(wording.Short(s.Attempts, nil, s.N)), textui.Markdown(wording.Short(s.ServerRequests, nil, s.N)), textui.Markdown(c.Verdict.Sign))
	}
}

func inTimeFirst(cells []*view.Cell) []*view.Cell {
	list := slices.DeleteFunc(slices.Clone(cells), func(c *view.Cell) bool { return c == nil })
	slices.SortStableFunc(list, func(a, b *view.Cell) int { return a.Rank() - b.Rank() })
	return list
}

func promiseMix(c *view.Cell) string {
	if c.Mix == "" {
		return c.Dress.Word
	}
	return c.Dress.Word + " (" + c.Mix + ")"
}

// remarks are what a row of figures does not say: callers of one client, side
// effects, what was left behind, and what was not as expected.
func remarks(row view.Row) []string {
	var lines []string
	for _, part := range []struct {
		about string
		of    func(timeline.Series) string
	}{{"not applicable", notApplicableRemark}, {"its times", netRemark}, {"callers of one client", groupRemark}, {"effects", effectRemark}, {"left behind", leakRemark}} {
		for _, c := range row.Cells {
			if c == nil {
				continue
			}
			if text := part.of(c.Series.Series); text != "" {
				lines = append(lines, textui.FullName(c.Series.Label, c.Series.Variant)+", "+part.about+": "+text)
			}
		}
	}
	return append(lines, doubts(row)...)
}

func notApplicableRemark(s timeline.Series) string { return s.NotApplicable }

func netRemark(s timeline.Series) string {
	if s.N == 0 {
		return ""
	}
	return s.NetOf
}

func groupRemark(s timeline.Series) string {
	if s.Amplification == nil {
		return ""
	}
	text := fmt.Sprintf("requests per operation %.3g", *s.Amplification)
	if s.PeakArrivals != nil {
		text += fmt.Sprintf(", peak of requests in 10 ms %d", *s.PeakArrivals)
	}
	if s.PeakRetryArrivals != nil {
		text += fmt.Sprintf(", of repeats alone %d", *s.PeakRetryArrivals)
	}
	return text
}

func effectRemark(s timeline.Series) string {
	if s.Commits == nil {
		return ""
	}
	return fmt.Sprintf("%s in %s, %s told of a success, %d told of a failure that had one, %d beyond the first",
		textui.CountOrNo(s.Commits.OnServer, "effect"), textui.CountOrNo(s.N, "operation"), textui.CountOrNo(s.Commits.ReportedSuccess, "caller"), s.Commits.ReportedFailureButCommitted, s.Commits.Duplicates)
}

// leakRemark is empty for a client that left nothing and still serves.
func leakRemark(s timeline.Series) string {
	if s.Leaks == nil {
		return ""
	}
	var parts []string
	for _, held := range []struct {
		n    int
		what string
	}{{s.Leaks.Connections, "connection"}, {s.Leaks.Dials, "dial"}, {s.Leaks.Slots, "slot"}, {s.Leaks.Handlers, "busy handler"}} {
		if held.n > 0 {
			parts = append(parts, textui.CountOrNo(held.n, held.what))
		}
	}
	return strings.Join(parts, ", ")
}

// doubts are the checks of a row that did not pass.
func doubts(row view.Row) []string {
	var lines []string
	for _, c := range row.Cells {
		if c == nil {
			continue
		}
		for _, k := range c.Series.Checks {
			if k.Verdict != verdict.Fail && k.Verdict != verdict.Inconclusive {
				continue
			}
			line := fmt.Sprintf("%s %s, %s: expected %s, measured %s", view.VerdictMarks[k.Verdict].Sign, textui.FullName(c.Series.Label, c.Series.Variant), k.Requirement, k.Expected, k.Actual)
			if k.Reason != "" {
				line += " (" + k.Reason + ")"
			}
			lines = append(lines, line)
		}
	}
	return lines
}
