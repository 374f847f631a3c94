// Package doctor measures what this machine can show: how late deadlines and
// timers fire here, how late a labserver injects, and what else limits a run.
// It judges only whether a run here could be judged.
package doctor

import (
	"math"
	"slices"
)

// Schema of the report as JSON.
const (
	Schema        = "deadlinelab/doctor"
	SchemaVersion = "1.0.0"
)

// Report is what was found.
type Report struct {
	Schema        string  `json:"schema"`
	SchemaVersion string  `json:"schema_version"`
	Seconds       float64 `json:"seconds"` // how long it measured
	Machine       Machine `json:"machine"`

	Deadline *Lateness `json:"deadline"` // context.WithDeadline: the noise floor that overshoots are compared with
	Timer    *Lateness `json:"timer"`    // due to fired, as package time does it
	Nudged   *Lateness `json:"nudged"`   // the same with the nudge; null where there is none

	Single *Lateness `json:"single"`      // due to written, one exchange at a time
	Spread *Lateness `json:"spread"`      // due to written, 50 exchanges in flight at different instants
	Burst  *Lateness `json:"burst"`       // due to written, 50 exchanges due at one instant
	Seen   *Lateness `json:"client_seen"` // the answers of Spread as the client met them: how much longer than the scripted delay

	CanJudge bool     `json:"can_judge"` // a run here would be conclusive
	Advice   []string `json:"advice"`
}

// Lateness sums up samples, in milliseconds. Quantiles are nearest ranks, so
// that each figure is a sample; a p99 needs 300 of them.
type Lateness struct {
	N      int      `json:"n"`
	Min    float64  `json:"min_ms"`
	Median float64  `json:"median_ms"`
	P95    float64  `json:"p95_ms"`
	P99    *float64 `json:"p99_ms"`
	Max    float64  `json:"max_ms"`
}

const leastForP99 = 300

// sumUp is nil without samples. They are rounded to microseconds.
func sumUp(ms []float64) *Lateness {
	n := len(ms)
	for i := range ms {
		ms[i] = math.Round(ms[i]*1000) / 1000
	}
	if n == 0 {
		return nil
	}
	slices.Sort(ms)
	l := &Lateness{N: n, Min: ms[0], Median: math.Round((ms[(n-1)/2]+ms[n/2])*500) / 1000, P95: rank(ms, 95), Max: ms[n-1]}
	if n >= leastForP99 {
		p99 := rank(ms, 99)
		l.P99 = &p99
	}
	return l
}

// rank is the nearest rank of ascending values.
func rank(ascending []float64, percent int) float64 {
	return ascending[(len(ascending)*percent+99)/100-1]
}
