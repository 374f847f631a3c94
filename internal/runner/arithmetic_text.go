package runner

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// WriteArithmetic prints a plan: its size, and for each cell what the waits
// add up to, wait by wait, and the worst case against the budget.
func WriteArithmetic(w io.Writer, p *Plan) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s in %s: %s of %d each, %s; seed %d\n",
		counted(p.Total(), "operation"), counted(len(p.Cells), "cell"), counted(p.Repeats, "repeat"), p.Operations, counted(p.inPhase(eventlog.Warmup), "warm-up"), p.Seed)
	computed := p.Arithmetic()
	for _, s := range p.Scenarios {
		fmt.Fprintf(out, "\n%s\n", headline(s))
		for _, c := range computed {
			if c.Scenario == s {
				c.write(out)
			}
		}
		p.writeStartups(out, s)
	}
	return out.Flush()
}

// writeStartups says whose start is measured under the scenario.
func (p *Plan) writeStartups(w io.Writer, s *scenario.Scenario) {
	n := p.inPhase(eventlog.Startup)
	for _, c := range p.startups {
		if c.Scenario == s.Name {
			fmt.Fprintf(w, "  %-26s  its start-up, measured %d times\n", c.Variant, n/len(p.startups))
		}
	}
}

// inPhase is how many operations of a phase the plan starts.
func (p *Plan) inPhase(phase eventlog.Phase) int {
	n := 0
	for _, it := range p.Items {
		if it.Phase == phase {
			n += it.Callers
		}
	}
	return n
}

func headline(s *scenario.Scenario) string {
	o := s.Operation
	return fmt.Sprintf("%s: budget %s, up to %d attempts", s.Name, msText(ms(o.BudgetMs)), o.MaxAttempts)
}

func (c Computation) write(w io.Writer) {
	if c.NotComputed != "" {
		fmt.Fprintf(w, "  %-26s  %s\n", fullName(c.Variant), c.NotComputed)
		return
	}
	fmt.Fprintf(w, "  %-26s  %-35s  %8s  %s, %s\n", fullName(c.Variant), c.outcomeText(), c.durationText(),
		counted(c.Attempts, "attempt"), counted(c.Requests, "request"))
	fmt.Fprintf(w, "    path:  %s\n", c.pathText())
	if c.Scenario.Callers != nil {
		fmt.Fprintf(w, "    callers: %s\n", c.callersText())
	}
	fmt.Fprintf(w, "    worst: %s\n", c.Worst.Text)
	for _, d := range c.disagreements() {
		fmt.Fprintf(w, "    DIFFERS: %s\n", d)
	}
}

// fullName is "D operation_deadline"; a client without a letter has one name.
func fullName(v variants.Variant) string {
	if v.Label == v.Name {
		return v.Name
	}
	return v.Label + " " + v.Name
}

func (c Computation) outcomeText() string {
	if c.Last == "" {
		return string(c.Outcome)
	}
	return fmt.Sprintf("%s (%s)", c.Outcome, c.Last)
}

// durationText is a range when the jitter makes one.
func (c Computation) durationText() string {
	if c.Longest.Duration == c.Duration {
		return msText(c.Duration)
	}
	return fmt.Sprintf("%g … %s", inMs(c.Duration), msText(c.Longest.Duration))
}

func (p Path) pathText() string {
	if len(p.Steps) == 0 {
		return "no wait"
	}
	parts := make([]string, len(p.Steps))
	for i, s := range p.Steps {
		parts[i] = s.String()
	}
	return strings.Join(parts, " + ")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
