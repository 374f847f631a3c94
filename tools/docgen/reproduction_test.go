package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// published as it would be measured: every series exactly as the study says.
func published90(t *testing.T) *verdict.Summary {
	t.Helper()
	p, err := readPublished()
	if err != nil {
		t.Fatal(err)
	}
	s := &verdict.Summary{}
	for _, sc := range p.Scenarios {
		for letter, r := range sc.Results {
			s.Series = append(s.Series, verdict.Series{Series: asPublished(sc.Name, letter, r)})
		}
	}
	return s
}

func asPublished(scenario, letter string, r publishedResult) timeline.Series {
	median := 100.0
	if r.MedianMs != nil {
		median = *r.MedianMs
	}
	all := func(want *bool) int {
		if want != nil && *want {
			return 90
		}
		return 0
	}
	s := fixture.Series(scenario, letter, letter, r.Outcome, "", median, "1", "1")
	if r.Attempts != nil {
		s.Attempts = map[string]int{itoa(*r.Attempts): 90}
	}
	if r.ServerRequests != nil {
		s.ServerRequests = map[string]int{itoa(*r.ServerRequests): 90}
	}
	headers, body := all(r.HeadersReceived), all(r.BodyComplete)
	s.InBudget, s.Late, s.HeadersReceived, s.BodyComplete = all(r.InBudget), all(r.Late), &headers, &body
	return s
}

func itoa(n int) string { return string(rune('0' + n)) }

func inScenario(name string, o *timeline.Operation) *timeline.Operation {
	o.Scenario = name
	return o
}

func TestReproduction(t *testing.T) {
	s := published90(t)
	c := s.Find("semaphore_wait", "C")
	c.HTTPTimerMs = new(20.3)
	s.Find("cancel_in_http", "B").ServerAfterMs = &timeline.Quantiles{Median: 200.1}
	late := s.Find("slow_headers", "D")
	late.DurationMs.Median, late.Outcomes = 1040, map[string]int{"deadline_exceeded": 89, "success": 1}
	s.Find("pool_wait", "B").Label = "Z"
	operations := []*timeline.Operation{inScenario("semaphore_wait", fixture.SemaphoreD().Operation), inScenario("slow_headers", fixture.SlowHeadersD().Operation),
		inScenario("cancel_in_http", fixture.CancelB().Operation), inScenario("semaphore_wait", fixture.SemaphoreC().Operation)}
	var b bytes.Buffer
	if err := Reproduction(&b, s, operations); err != nil {
		t.Fatal(err)
	}
	fixture.Golden(t, "reproduction.golden", b.Bytes())
}

// What the study reports agrees with itself, all 35 results.
func TestPublishedAgreesWithItself(t *testing.T) {
	var b bytes.Buffer
	if err := Reproduction(&b, published90(t), nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "35 of 35 published results agree.") {
		t.Errorf("%s", b.String())
	}
}
