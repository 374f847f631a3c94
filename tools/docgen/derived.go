package main

import (
	"bytes"
	_ "embed"
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/wording"
	"gopkg.in/yaml.v3"
)

//go:embed derived.yaml
var derivedFile []byte

// derivation is what was worked out on paper for one client under one wait.
type derivation struct {
	Scenario string `yaml:"scenario"`
	Variant  string `yaml:"variant"`
	Derived  string `yaml:"derived"`
	Instead  string `yaml:"instead"` // why the run shows something else; empty = confirmed
}

func derivations() ([]derivation, error) {
	var list []derivation
	decoder := yaml.NewDecoder(bytes.NewReader(derivedFile))
	decoder.KnownFields(true)
	if err := decoder.Decode(&list); err != nil {
		return nil, fmt.Errorf("derived.yaml: %w", err)
	}
	return list, nil
}

// derived sets what was worked out on paper against what the run shows. What
// the run lacks is left out.
func (in WaitsInput) derived(b *bytes.Buffer) error {
	list, err := derivations()
	if err != nil {
		return err
	}
	var rows bytes.Buffer
	for _, d := range list {
		if one := in.Summary.SeriesOf(d.Scenario, d.Variant); one != nil {
			fmt.Fprintf(&rows, "| [%s](#%s) | %s | %s | %s | %s |\n", textui.Markdown(d.Scenario), d.Scenario, textui.Markdown(d.Variant), textui.Markdown(d.Derived), textui.Markdown(shown(one)), d.judgement(one))
		}
	}
	if rows.Len() > 0 {
		b.WriteString("## Derived beforehand, and measured\n\n| wait | client | derived, ms | measured | |\n|---|---|---|---|---|\n")
		b.Write(rows.Bytes())
		b.WriteString("\n")
	}
	return nil
}

// judgement leans on the series' own verdict: its scenario expects what is said
// here, in numbers.
func (d derivation) judgement(s *verdict.Series) string {
	switch {
	case s.Verdict != verdict.Pass:
		return "not shown by this run: " + string(s.Verdict)
	case d.Instead == "":
		return "confirmed"
	}
	return "**corrected:** " + textui.Markdown(d.Instead)
}

// shown is "success 10: 2001.0 ms, attempts 1 × 10, requests 1 × 10".
func shown(s *verdict.Series) string {
	if s.N == 0 {
		return "no valid operation"
	}
	text := wording.Mix(s.Outcomes, wording.OutcomeOrder)
	if s.DurationMs != nil {
		text += fmt.Sprintf(": %.1f ms", s.DurationMs.Median)
	}
	return text + ", attempts " + wording.Mix(s.Attempts, nil) + ", requests " + wording.Mix(s.ServerRequests, nil)
}
