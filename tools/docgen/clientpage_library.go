package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// libraries say of each pair how it was set up, what it missed, and what fixes it.
func (p *clientPage) libraries() {
	p.printf("## The libraries\n\nMeasured with the versions and settings that are named; a later version may differ.\n\n")
	for _, pair := range p.pairs() {
		p.library(pair)
	}
}

// pairs are the names of the libraries in the order of the manifest.
func (p *clientPage) pairs() []string {
	var list []string
	for _, k := range p.Known {
		if k.Pair != "" && !slices.Contains(list, k.Pair) && len(p.measured(k.Pair)) > 0 {
			list = append(list, k.Pair)
		}
	}
	return list
}

// measured are the set-ups of a library that are in the run.
func (p *clientPage) measured(pair string) []KnownClient {
	var list []KnownClient
	for _, k := range p.Known {
		if k.Pair == pair && p.Client(k.Name) != nil {
			list = append(list, k)
		}
	}
	return list
}

func (p *clientPage) library(pair string) {
	set := p.measured(pair)
	p.printf("### %s\n\n%s.\n\n", textui.Markdown(pair), textui.Markdown(p.Client(set[0].Name).Made()))
	p.settings(set)
	for _, k := range set {
		p.setUp(k, set)
	}
	p.printf("\n")
}

// settings set the set-ups of a library side by side.
func (p *clientPage) settings(set []KnownClient) {
	p.printf("| setting |%s\n|---|%s\n", cells(set, func(k KnownClient) string { return textui.Markdown(k.Name) }), strings.Repeat("---|", len(set)))
	for _, name := range p.settingNames(set) {
		p.printf("| %s |%s\n", textui.Markdown(name), cells(set, func(k KnownClient) string { return textui.Markdown(p.Client(k.Name).Setting(name)) }))
	}
	p.printf("\n")
}

func cells(set []KnownClient, text func(KnownClient) string) string {
	var b strings.Builder
	for _, k := range set {
		fmt.Fprintf(&b, " %s |", text(k))
	}
	return b.String()
}

func (p *clientPage) settingNames(set []KnownClient) []string {
	var names []string
	for _, k := range set {
		for _, s := range p.Client(k.Name).Settings {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// setUp says what one set-up missed, and whether its bounded partner did not.
func (p *clientPage) setUp(k KnownClient, set []KnownClient) {
	p.printf("- **%s**: %s.", textui.Markdown(k.Name), textui.Markdown(p.words(k.Name)))
	if k.Documentation != "" {
		p.printf(" Set up as in [its documentation](%s).", strings.NewReplacer(")", "%29", "(", "%28", " ", "%20").Replace(textui.Plain(k.Documentation)))
	}
	p.printf("\n")
	if k.Fixes == "" || len(p.missed(k.Name)) == 0 {
		return
	}
	p.printf("  - The fix: %s\n", textui.Markdown(k.Fixes))
	for _, other := range set {
		if strings.HasSuffix(other.Name, boundedSuffix) && other.Name != k.Name {
			p.printf("  - Proof: %s\n", textui.Markdown(p.proof(k.Name, other.Name)))
		}
	}
}

// boundedSuffix marks the set-up of a library as it should be.
const boundedSuffix = "_bounded"

func (p *clientPage) words(variant string) string {
	for _, c := range p.matrix.Columns {
		if c.Variant == variant && c.Tried() {
			return c.InWords()
		}
	}
	return "not measured"
}

// missed are the waits in which the client was typically late or without end.
func (p *clientPage) missed(variant string) []view.Row {
	var list []view.Row
	for _, row := range p.matrix.Rows {
		if c := p.cell(row, variant); c != nil && c.Series.N > 0 && !c.InTime() && c.Promise != wording.Unsure {
			list = append(list, row)
		}
	}
	return list
}

// proof sets the misses of one set-up against what the bounded one did there.
func (p *clientPage) proof(missing, bounded string) string {
	var parts []string
	for _, row := range p.missed(missing) {
		c := p.cell(row, bounded)
		text := row.Scenario + " not measured"
		if c != nil && c.Series.N > 0 {
			text = fmt.Sprintf("%s %s", row.Scenario, c.Ended())
		}
		parts = append(parts, text)
	}
	return fmt.Sprintf("%s there: %s.", bounded, strings.Join(parts, ", "))
}
