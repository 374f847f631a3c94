package report

import (
	"fmt"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// wait is one scenario with every client, those that were in time first.
func (p *clientPage) wait(row matrixRow) {
	p.printf("## %s\n\n", md(row.Scenario))
	if s := p.scenarioNamed(row.Scenario); s != nil {
		p.printf("%s\n\n- upstream: %s\n- client: %s\n", md(s.Question), md(upstreamText(s)), md(clientText(s)))
		if call := callText(s); call != "" {
			p.printf("- call: %s\n", md(call))
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
func (p *clientPage) inOrder(row matrixRow) []*matrixCell {
	var list []*matrixCell
	for _, c := range p.columns() {
		list = append(list, p.cell(row, c.Variant))
	}
	return list
}

func (p *clientPage) waitRow(c *matrixCell) {
	s := c.Series
	if s.NotApplicable != "" {
		p.printf("| %s | n/a: %s | | | | | | | | | |\n", p.linked(s.Variant), md(s.NotApplicable))
		return
	}
	p.printf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", p.linked(s.Variant), md(c.Dress.Glyph+" "+promiseMix(c)), medianText(s.JudgedMs()), md(c.lateBy()),
		md(short(s.Outcomes, outcomeOrder, s.N)), md(short(s.Attempts, nil, s.N)), md(short(s.ServerRequests, nil, s.N)), wasteText(s.Series), p.caught(s), p.asSingle(s), p.timeline(c))
}

func wasteText(s timeline.Series) string {
	switch {
	case slices.Contains(s.Unreported, "waste_ms"):
		return unknown
	case s.WasteMs == nil || s.WasteMs.Median == 0:
		return ""
	}
	return fmt.Sprintf("%.0f", s.WasteMs.Median)
}

// caught is what reaches the caller; of the bench's own variants that is no class.
func (p *clientPage) caught(s Series) string {
	keys := mixKeys(s.ErrorTypes, nil)
	switch {
	case len(keys) == 0:
		return ""
	case len(keys) == 1:
		return code(keys[0])
	}
	return md(mix(s.ErrorTypes, map[string]int{}))
}

// timeline is a link to the client's typical operation, among those of the others.
func (p *clientPage) timeline(c *matrixCell) string {
	if p.Timelines == "" || c.Series.Representative == "" {
		return ""
	}
	return fmt.Sprintf("[open](%s/%s.svg#%s)", p.Timelines, slug(c.Series.Scenario), slug(c.Series.Label))
}
