package report

import (
	"fmt"
	"slices"
	"strings"
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
		if k.Pair == pair && p.client(k.Name) != nil {
			list = append(list, k)
		}
	}
	return list
}

func (p *clientPage) library(pair string) {
	set := p.measured(pair)
	p.printf("### %s\n\n%s.\n\n", md(pair), md(p.client(set[0].Name).Made()))
	p.settings(set)
	for _, k := range set {
		p.setUp(k, set)
	}
	p.printf("\n")
}

// settings set the set-ups of a library side by side.
func (p *clientPage) settings(set []KnownClient) {
	p.printf("| setting |%s\n|---|%s\n", cells(set, func(k KnownClient) string { return md(k.Name) }), strings.Repeat("---|", len(set)))
	for _, name := range p.settingNames(set) {
		p.printf("| %s |%s\n", md(name), cells(set, func(k KnownClient) string { return md(p.client(k.Name).setting(name)) }))
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
		for _, s := range p.client(k.Name).Settings {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// setting is the client's value of a setting, "–" if it has none.
func (c *Client) setting(name string) string {
	for _, s := range c.Settings {
		if s.Name == name {
			return s.Value
		}
	}
	return unknown
}

// setUp says what one set-up missed, and whether its bounded partner did not.
func (p *clientPage) setUp(k KnownClient, set []KnownClient) {
	p.printf("- **%s**: %s.", md(k.Name), md(p.words(k.Name)))
	if k.Documentation != "" {
		p.printf(" Set up as in [its documentation](%s).", strings.NewReplacer(")", "%29", "(", "%28", " ", "%20").Replace(plain(k.Documentation)))
	}
	p.printf("\n")
	if k.Fixes == "" || len(p.missed(k.Name)) == 0 {
		return
	}
	p.printf("  - The fix: %s\n", md(k.Fixes))
	for _, other := range set {
		if strings.HasSuffix(other.Name, boundedSuffix) && other.Name != k.Name {
			p.printf("  - Proof: %s\n", md(p.proof(k.Name, other.Name)))
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
func (p *clientPage) missed(variant string) []matrixRow {
	var list []matrixRow
	for _, row := range p.matrix.Rows {
		if c := p.cell(row, variant); c != nil && c.Series.N > 0 && !c.inTime() && c.Promise != unsure {
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
			text = fmt.Sprintf("%s %s", row.Scenario, c.ended())
		}
		parts = append(parts, text)
	}
	return fmt.Sprintf("%s there: %s.", bounded, strings.Join(parts, ", "))
}

// ended is "in time after 1001 ms", or "late by 120 ms".
func (c *matrixCell) ended() string {
	if c.inTime() || c.Promise == unsure {
		return fmt.Sprintf("%s after %s ms", c.Dress.Word, c.Median)
	}
	return "late " + c.lateBy()
}
