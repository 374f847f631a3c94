package view

import (
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// ScenarioID is the id of a scenario's section in the page.
func ScenarioID(name string) string { return "s-" + Slug(name) }

// SeriesID is the id of a series in the page.
func SeriesID(s verdict.Series) string { return ScenarioID(s.Scenario) + "-" + Slug(s.Label) }

// Slug keeps what an id in an address needs no escaping for.
func Slug(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, text)
}
