package runner

import (
	"bufio"
	"fmt"
	"io"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/textui"
)

// WriteArithmetic prints a plan: its size, and for each cell what the waits
// add up to, wait by wait, and the worst case against the budget.
func WriteArithmetic(w io.Writer, p *Plan) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s in %s: %s of %d each, %s; seed %d\n",
		textui.Count(p.Total(), "operation"), textui.Count(len(p.Cells), "cell"), textui.Count(p.Repeats, "repeat"), p.Operations, textui.Count(p.inPhase(eventlog.Warmup), "warm-up"), p.Seed)
	computed := p.Computed()
	for _, s := range p.Scenarios {
		fmt.Fprintf(out, "\n%s\n", headline(s))
		for _, c := range computed {
			if c.Scenario == s {
				c.Write(out)
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
	o, text := s.Operation, ""
	if s.CapMs != nil {
		text = ", hard cap " + clock.MsText(s.Cap())
	}
	return fmt.Sprintf("%s: budget %s%s, up to %d attempts", s.Name, clock.MsText(clock.FromMs(o.BudgetMs)), text, o.MaxAttempts)
}
