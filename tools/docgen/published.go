package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"

	"gopkg.in/yaml.v3"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

//go:embed published.yaml
var publishedFile []byte

// published is what the published asyncio/aiohttp deadline study reports.
type published struct {
	Scenarios      []publishedScenario `yaml:"scenarios"`
	Overshoot      publishedSpread     `yaml:"overshoot_ms"`
	CancelToReturn publishedSpread     `yaml:"cancel_to_return_ms"`
	ServerGoesOn   float64             `yaml:"server_goes_on_ms"`
	HTTPTimer      float64             `yaml:"http_timer_ms"`
	ToHeaders      float64             `yaml:"to_headers_ms"`
}

type publishedSpread struct {
	Median float64 `yaml:"median"`
	Max    float64 `yaml:"max"`
}

type publishedScenario struct {
	Name    string                     `yaml:"name"`
	Results map[string]publishedResult `yaml:"results"` // by letter
}

// publishedResult leaves out what the study does not report.
type publishedResult struct {
	Outcome         string   `yaml:"outcome"`
	MedianMs        *float64 `yaml:"median_ms"`
	Attempts        *int     `yaml:"attempts"`
	ServerRequests  *int     `yaml:"server_requests"`
	InBudget        *bool    `yaml:"in_budget"`
	Late            *bool    `yaml:"late"`
	HeadersReceived *bool    `yaml:"headers_received"`
	BodyComplete    *bool    `yaml:"body_complete"`
	Source          string   `yaml:"source"` // stated, shown, arithmetic, chosen
}

func readPublished() (published, error) {
	var p published
	decoder := yaml.NewDecoder(bytes.NewReader(publishedFile))
	decoder.KnownFields(true)
	if err := decoder.Decode(&p); err != nil {
		return p, fmt.Errorf("published.yaml: %w", err)
	}
	return p, nil
}

// How far a median may lie from a published one: another machine, another
// language, the same waits.
const (
	agreesMs    = 10.0
	agreesShare = 0.03
)

// agrees names what differs from the published result; nothing = it agrees.
func (p publishedResult) agrees(s timeline.Series) []string {
	var differs []string
	note := func(same bool, what string) {
		if !same {
			differs = append(differs, what)
		}
	}
	note(s.N > 0, "no valid operation")
	note(s.Outcomes[p.Outcome] == s.N, "outcome")
	note(p.Attempts == nil || s.Attempts[fmt.Sprint(verdict.Deref(p.Attempts))] == s.N, "attempts")
	note(p.ServerRequests == nil || s.ServerRequests[fmt.Sprint(verdict.Deref(p.ServerRequests))] == s.N, "requests")
	note(allOrNone(p.InBudget, s.InBudget, s.N), "in budget")
	note(allOrNone(p.Late, s.Late, s.N), "late")
	note(allOrNone(p.HeadersReceived, verdict.Deref(s.HeadersReceived), s.N), "headers")
	note(allOrNone(p.BodyComplete, verdict.Deref(s.BodyComplete), s.N), "body")
	note(p.nearMedian(s.DurationMs), "duration")
	return differs
}

func (p publishedResult) nearMedian(d *timeline.Durations) bool {
	if p.MedianMs == nil {
		return true
	}
	return d != nil && math.Abs(d.Median-*p.MedianMs) <= max(agreesMs, agreesShare**p.MedianMs)
}

func allOrNone(want *bool, have, n int) bool {
	if want == nil {
		return true
	}
	if *want {
		return have == n
	}
	return have == 0
}

// text is what the study reports, in words.
func (p publishedResult) text() string {
	text := p.Outcome
	if p.MedianMs != nil {
		text += fmt.Sprintf(", %g ms", *p.MedianMs)
	}
	if p.Attempts != nil {
		text += ", " + textui.CountOrNo(*p.Attempts, "attempt")
	}
	if p.ServerRequests != nil {
		text += ", " + textui.CountOrNo(*p.ServerRequests, "request")
	}
	for _, f := range []struct {
		is      *bool
		yes, no string
	}{{p.InBudget, "in budget", "not in budget"}, {p.Late, "late", "not late"}, {p.HeadersReceived, "headers received", "no headers"},
		{p.BodyComplete, "body complete", "body incomplete"}} {
		switch {
		case f.is == nil:
		case *f.is:
			text += ", " + f.yes
		default:
			text += ", " + f.no
		}
	}
	return text
}
