// Command overshoot prints, for run directories, how far variant D's median
// overshoot lies above the noise floor of its own run: the figures that
// docs/performance.md shows for different numbers of operations in flight.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(64)
	}
}

func run(dirs []string, w io.Writer) error {
	if len(dirs) == 0 {
		return errors.New("no run directory given; usage: go run ./scripts/overshoot DIR…")
	}
	for _, dir := range dirs {
		r, err := read(dir)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, r.table()); err != nil {
			return err
		}
	}
	return nil
}

type quantiles struct {
	Median float64  `json:"median"`
	P95    *float64 `json:"p95"`
	Max    float64  `json:"max"`
}

type series struct {
	Scenario  string         `json:"scenario"`
	Label     string         `json:"label"`
	N         int            `json:"n"`
	Planned   int            `json:"planned"`
	Outcomes  map[string]int `json:"outcomes"`
	Overshoot *quantiles     `json:"overshoot_ms"`
	Floor     *quantiles     `json:"noise_floor_ms"`
}

// measured is what one run directory says.
type measured struct {
	Parallel    int     `json:"parallel"`
	WallSeconds float64 `json:"wall_seconds"`
	Environment struct {
		Load string `json:"load_before"`
	} `json:"environment"`
	Series []series `json:"series"`
}

func read(dir string) (*measured, error) {
	m := &measured{}
	for _, name := range []string{"run.json", "summary.json"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, m); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
		}
	}
	return m, nil
}

func (m *measured) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d in flight, %.1f s, load before %s\n", m.Parallel, m.WallSeconds, m.Environment.Load)
	fmt.Fprintf(&b, "  %-20s %9s %9s %9s %12s %9s %9s\n", "scenario", "n", "overshoot", "floor", "difference", "p95", "floor p95")
	for _, s := range m.Series {
		if s.endsByDeadline() {
			fmt.Fprintf(&b, "  %-20s %9s %9.2f %9.2f %12.2f %9s %9s\n", s.Scenario, fmt.Sprintf("%d/%d", s.N, s.Planned),
				s.Overshoot.Median, s.Floor.Median, s.Overshoot.Median-s.Floor.Median, p95(s.Overshoot), p95(s.Floor))
		}
	}
	return b.String()
}

// endsByDeadline: only where D's own deadline ends it does its overshoot say
// how exact deadlines are.
func (s *series) endsByDeadline() bool {
	return s.Label == "D" && s.Overshoot != nil && s.Floor != nil && s.N > 0 && s.Outcomes["deadline_exceeded"] == s.N
}

func p95(q *quantiles) string {
	if q.P95 == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", *q.P95)
}
