package main

import (
	"fmt"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// wait is one scenario with every client, those that were in time first.
func (p *clientPage) wait(row view.Row) {
	p.printf("## %s\n\n", textui.Markdown(row.Scenario))
	if s := p.ScenarioNamed(row.Scenario); s != nil {
		p.printf("%s\n\n- upstream: %s\n- client: %s\n", textui.Markdown(s.Question), textui.Markdown(wording.UpstreamText(s)), textui.Markdown(wording.ClientText(s)))
		if call := wording.CallText(s); call != "" {
			p.printf("- call: %s\n", textui.Markdown(call))
		}
		p.printf("\n")
	}
	p.printf("| client | the caller got | after ms | late by | outcome | attempts | requests | waste ms | caught | as a single timeout | timeline |\n|---|---|--:|--:|---|--:|--:|--:|---|:-:|---|\n")
	for _, c := range inTimeFirst(p.inOrder(row)) {
		p.waitRow(c)
	}
	p.printf("\n")
}

// inOrder are the cells of a row in the order of the clients.
func (p *clientPage) inOrder(row view.Row) []*view.Cell {
	var list []*view.Cell
	for _, c := range p.columns() {
		list = append(list, p.cell(row, c.Variant))
	}
	return list
}

func (p *clientPage) waitRow(c *view.Cell) {
	s := c.Series
	if s.NotApplicable != "" {
		p.printf("| %s | n/a: %s | | | | | | | | | |\n", p.linked(s.Variant), textui.Markdown(s.NotApplicable))
		return
	}
	p.printf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", p.linked(s.Variant), textui.Markdown(c.Dress.Glyph+" "+promiseMix(c)), wording.MedianText(s.JudgedMs()), textui.Markdown(c.LateBy()),
		textui.Markdown(wording.Short(s.Outcomes, wording.OutcomeOrder, s.N)), textui.Markdown(wording.Short(s.Attempts, nil, s.N)), textui.Markdown(wording.Short(s.ServerRequests, nil, s.N)), wasteText(s.Series), p.caught(s), p.asSingle(s), p.timeline(c))
}

func wasteText(s timeline.Series) string {
	switch {
	case slices.Contains(s.Unreported, "waste_ms"):
		return wording.Unknown
	case s.WasteMs == nil || s.WasteMs.Median == 0:
		return ""
	}
	return fmt.Sprintf("%.0f", s.WasteMs.Median)
}

// caught is what reaches the caller; of the bench's own variants that is no class.
func (p *clientPage) caught(s verdict.Series) string {
	keys := wording.Keys(s.ErrorTypes, nil)
	switch {
	case len(keys) == 0:
		return ""
	case len(keys) == 1:
		return textui.Code(keys[0])
	}
	return textui.Markdown(wording.Mix(s.ErrorTypes, map[string]int{}))
}

// timeline is a link to the client's typical operation, among those of the others.
func (p *clientPage) timeline(c *view.Cell) string {
	if p.Timelines == "" || c.Series.Representative == "" {
		return ""
	}
	return fmt.Sprintf("[open](%s/%s.svg#%s)", p.Timelines, view.Slug(c.Series.Scenario), view.Slug(c.Series.Label))
}
