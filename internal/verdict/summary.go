// Package verdict judges series against what their scenario expects and against
// a required promise. Every number comes from the merged timelines; nothing here
// measures or prints.
package verdict

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Verdict tells whether an expectation held.
type Verdict string

// The verdicts.
const (
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	Inconclusive Verdict = "inconclusive" // no samples, noise, or a fault not proven to have fired
	Unjudged     Verdict = "unjudged"     // no expectation written

	NotApplicable Verdict = "not_applicable" // the client cannot be measured there: it has no weight
)

// knownVerdicts is the closed list, the worst last.
var knownVerdicts = []Verdict{NotApplicable, Unjudged, Pass, Inconclusive, Fail}

// severity orders the verdicts: the worst check decides a series, the worst
// SeriesOf a run.
var severity = map[Verdict]int{NotApplicable: 0, Unjudged: 0, Pass: 1, Inconclusive: 2, Fail: 3}

func worse(a, b Verdict) Verdict {
	if severity[b] > severity[a] {
		return b
	}
	return a
}

// Check is one requirement on a series and how it came out.
type Check struct {
	Requirement string  `json:"requirement"` // a key of `expect`, valid_operations, or require
	Expected    string  `json:"expected"`
	Actual      string  `json:"actual"`
	Verdict     Verdict `json:"verdict"`
	Reason      string  `json:"reason"` // empty when there is nothing to explain
}

// Series is a series with its verdict.
type Series struct {
	timeline.Series
	Checks  []Check `json:"checks"`
	Verdict Verdict `json:"verdict"`

	evidence evidence // what further checks need to see
}

// Counts says how many series came to which verdict.
type Counts struct {
	Series       int `json:"series"`
	Pass         int `json:"pass"`
	Fail         int `json:"fail"`
	Inconclusive int `json:"inconclusive"`
	Unjudged     int `json:"unjudged"`

	NotApplicable int `json:"not_applicable,omitempty"`
}

// Summary is summary.json.
type Summary struct {
	Schema        string        `json:"schema"`
	SchemaVersion string        `json:"schema_version"`
	Status        rundir.Status `json:"status"`
	Verdict       Verdict       `json:"verdict"`
	Counts        Counts        `json:"counts"`
	Clients       []Client      `json:"clients,omitempty"`    // those in processes of their own
	Mismatches    []string      `json:"mismatches,omitempty"` // what in the run's directory is not what the run wrote
	Series        []Series      `json:"series"`
}

// Finalize derives every verdict from the checks.
func (s *Summary) Finalize() {
	s.Verdict, s.Counts = Unjudged, Counts{Series: len(s.Series)}
	for i := range s.Series {
		one := &s.Series[i]
		one.Verdict = Unjudged
		if one.NotApplicable != "" {
			one.Verdict = NotApplicable
		}
		for _, c := range one.Checks {
			one.Verdict = worse(one.Verdict, c.Verdict)
		}
		s.Verdict = worse(s.Verdict, one.Verdict)
		s.Counts.add(one.Verdict)
	}
	if s.Counts.NotApplicable == len(s.Series) || len(s.Mismatches) > 0 && s.Verdict != Fail { // nothing was measured, or is proven
		s.Verdict = Inconclusive
	}
}

func (c *Counts) add(v Verdict) {
	switch v {
	case Pass:
		c.Pass++
	case Fail:
		c.Fail++
	case Inconclusive:
		c.Inconclusive++
	case NotApplicable:
		c.NotApplicable++
	default:
		c.Unjudged++
	}
}

// JSON is the bytes of summary.json. NaN and infinity are an error: a figure
// that is not known is null.
func (s *Summary) JSON() ([]byte, error) {
	data, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return nil, fmt.Errorf("summary.json: %w", err)
	}
	return append(data, '\n'), nil
}

// ParseSummary reads summary.json; file names it in errors. Fields added by a
// later minor version are ignored, a newer major version is refused.
func ParseSummary(file string, data []byte) (*Summary, error) {
	var s Summary
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("%s: %w; `bench analyze` writes it again from the logs", file, err)
	}
	if s.Schema != timeline.SummarySchema {
		return nil, fmt.Errorf("%s: schema %q, expected %q: is this the summary of a run?", file, s.Schema, timeline.SummarySchema)
	}
	major, _, _ := strings.Cut(s.SchemaVersion, ".")
	if ours, _, _ := strings.Cut(timeline.SummarySchemaVersion, "."); major != ours {
		return nil, fmt.Errorf("%s: schema_version %q, this bench reads %s: use the bench that wrote it", file, s.SchemaVersion, timeline.SummarySchemaVersion)
	}
	return &s, s.checkVerdicts(file)
}

// checkVerdicts refuses a verdict that is none of ours.
func (s *Summary) checkVerdicts(file string) error {
	verdicts := []Verdict{s.Verdict}
	for _, one := range s.Series {
		verdicts = append(verdicts, one.Verdict)
		for _, c := range one.Checks {
			verdicts = append(verdicts, c.Verdict)
		}
	}
	for _, v := range verdicts {
		if _, known := severity[v]; !known {
			return fmt.Errorf("%s: verdict %q, expected one of %q", file, v, knownVerdicts)
		}
	}
	return nil
}

// Exit codes that follow from a summary.
const (
	exitHeld         = 0
	exitFailed       = 10
	exitInconclusive = 12
	exitIncomplete   = 13
)

// ExitCode is 13 for a run that is not complete, else 10 when something
// failed, 12 when something is inconclusive (0 if that only warrants a
// warning, which a run that was changed since never does), else 0.
func ExitCode(s *Summary, warnOnInconclusive bool) int {
	switch {
	case s.Status != rundir.Complete:
		return exitIncomplete
	case s.Verdict == Fail:
		return exitFailed
	case s.Verdict == Inconclusive && (!warnOnInconclusive || len(s.Mismatches) > 0):
		return exitInconclusive
	}
	return exitHeld
}

// SeriesOf finds a series, nil if there is none.
func (s *Summary) SeriesOf(scenario, variant string) *Series {
	for i := range s.Series {
		if s.Series[i].Scenario == scenario && s.Series[i].Variant == variant {
			return &s.Series[i]
		}
	}
	return nil
}

// SameBudget is " of 1000 ms" if every scenario grants the same.
func (s *Summary) SameBudget() string {
	for _, one := range s.Series {
		if one.BudgetMs != s.Series[0].BudgetMs {
			return ""
		}
	}
	if len(s.Series) == 0 || s.Series[0].BudgetMs == 0 {
		return ""
	}
	return fmt.Sprintf(" of %g ms", s.Series[0].BudgetMs)
}

// OneLine is a check in one line.
func (c Check) OneLine() string {
	text := fmt.Sprintf("%s: expected %s, actual %s", c.Requirement, c.Expected, c.Actual)
	if c.Reason != "" {
		text += " (" + c.Reason + ")"
	}
	return text
}

// UnreportedMeans is why some clients have figures that are not known; empty
// if all are.
func (s *Summary) UnreportedMeans() string {
	var list []string
	for _, one := range s.Series {
		if b := one.UnreportedBecause; b != "" && !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "not reported: " + strings.Join(list, "; ")
}

// External tells whether a client in a process of its own was measured.
func (s *Summary) External() bool {
	return slices.ContainsFunc(s.Series, func(one Series) bool { return one.Client != "" })
}

// Find is a series by scenario and letter, nil if the run has none.
func (s *Summary) Find(scenario, letter string) *Series {
	for i := range s.Series {
		if s.Series[i].Scenario == scenario && s.Series[i].Label == letter {
			return &s.Series[i]
		}
	}
	return nil
}

// Planned is "10 operations", or "10 to 50 operations" where callers share a
// client in some scenarios.
func (s *Summary) Planned() string {
	least, most := 0, 0
	for _, one := range s.Series {
		if one.NotApplicable != "" {
			continue
		}
		if most == 0 || one.Planned < least {
			least = one.Planned
		}
		most = max(most, one.Planned)
	}
	if least == most {
		return textui.CountOrNo(most, "operation")
	}
	return fmt.Sprintf("%d to %s", least, textui.CountOrNo(most, "operation"))
}
