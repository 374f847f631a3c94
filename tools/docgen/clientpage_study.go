package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// study sets the four clients of the published study, in their own library, and
// the bench's variants of the same letters beside what was published.
func (p *clientPage) study() error {
	if !p.hasStudy() {
		return nil
	}
	published, err := readPublished()
	if err != nil {
		return err
	}
	p.printf("## The published study's four clients\n\nA single attempt, B attempt timeouts, C a deadline after the slot, D a deadline at the call: published, in the same library here, and the bench's own variant of that letter.\n\n")
	p.printf("| scenario | client | published | here, the library | median ms | requests | here, the variant | median ms | requests | caught |\n|---|---|---|---|--:|--:|---|--:|--:|---|\n")
	for _, sc := range published.Scenarios {
		for _, letter := range slices.Sorted(maps.Keys(sc.Results)) {
			p.printf("| %s | %s | %s |%s%s %s |\n", textui.Markdown(sc.Name), letter, sc.Results[letter].text(), p.measuredCells(sc.Name, p.ofStudy(letter)), p.measuredCells(sc.Name, letter), p.caughtIn(sc.Name, p.ofStudy(letter)))
		}
	}
	p.printf("\n")
	return nil
}

func (p *clientPage) hasStudy() bool {
	for _, k := range p.Known {
		if k.Study != "" && p.Client(k.Name) != nil {
			return true
		}
	}
	return false
}

// ofStudy is the client that is the study's client of the letter.
func (p *clientPage) ofStudy(letter string) string {
	for _, k := range p.Known {
		if k.Study == letter {
			return k.Name
		}
	}
	return ""
}

// measuredCells are outcome, median and requests of a series by its label.
func (p *clientPage) measuredCells(scenario, label string) string {
	s := p.Summary.Find(scenario, label)
	if s == nil || s.N == 0 {
		return " not measured | – | – |"
	}
	return " " + strings.Join([]string{textui.Markdown(wording.Short(s.Outcomes, wording.OutcomeOrder, s.N)), wording.MedianText(s.JudgedMs()), textui.Markdown(wording.Short(s.ServerRequests, nil, s.N))}, " | ") + " |"
}

func (p *clientPage) caughtIn(scenario, label string) string {
	if s := p.Summary.Find(scenario, label); s != nil {
		return p.caught(*s)
	}
	return ""
}
