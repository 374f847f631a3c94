package runner

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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
	o, text := s.Operation, ""
	if s.CapMs != nil {
		text = ", hard cap " + msText(s.Cap())
	}
	return fmt.Sprintf("%s: budget %s%s, up to %d attempts", s.Name, msText(ms(o.BudgetMs)), text, o.MaxAttempts)
}

func (c Computation) write(w io.Writer) {
	if c.NotComputed != "" {
		hang(w, fmt.Sprintf("  %-26s  ", fullName(c.Variant)), c.NotComputed, " ")
		return
	}
	hang(w, fmt.Sprintf("  %-26s  ", fullName(c.Variant)), c.resultText(), resultGap)
	hang(w, "    path:  ", c.pathText(), plus)
	if c.Scenario.Callers != nil {
		hang(w, "    callers: ", c.callersText(), " ")
	}
	if c.Chance != "" {
		hang(w, "    chance: ", c.Chance, " ")
	}
	hang(w, "    worst: ", c.Worst.Text, " ")
	for _, d := range c.disagreements() {
		hang(w, "    DIFFERS: ", d, " ")
	}
}

// What stands between the figures of a result, and between the waits of a path.
const resultGap, plus = "  ", " + "

// resultText is the outcome, the duration, which ends below those of other cells
// where there is room for both, and how much was tried.
func (c Computation) resultText() string {
	outcome, duration := c.outcomeText(), c.durationText()
	room := max(len(resultGap), 44-utf8.RuneCountInString(outcome+duration))
	return outcome + strings.Repeat(" ", room) + duration + resultGap +
		c.countsText("attempt", func(p Path) int { return p.Attempts }) + ", " + c.countsText("request", func(p Path) int { return p.Requests })
}

// fullName is "D operation_deadline"; a client without a letter has one name.
func fullName(v variants.Variant) string {
	if v.Label == v.Name {
		return v.Name
	}
	return v.Label + " " + v.Name
}

// outcomeText names every outcome that is possible.
func (c Computation) outcomeText() string {
	var names []string
	for _, p := range c.Paths {
		if text := p.outcomeText(); !slices.Contains(names, text) {
			names = append(names, text)
		}
	}
	return strings.Join(names, " or ")
}

func (p Path) outcomeText() string {
	if p.Last == "" {
		return string(p.Outcome)
	}
	return fmt.Sprintf("%s (%s)", p.Outcome, p.Last)
}

// durationText is a range where jitter or a date makes one.
func (c Computation) durationText() string {
	shortest, longest := spanOf(c.Paths)
	if shortest == longest {
		return msText(longest)
	}
	return fmt.Sprintf("%s … %s", strings.TrimSuffix(rounded(shortest), " ms"), rounded(longest))
}

// rounded is a duration to the microsecond.
func rounded(d time.Duration) string { return msText(d.Round(time.Microsecond)) }

func (p Path) pathText() string {
	if len(p.Steps) == 0 {
		return "no wait"
	}
	parts := make([]string, len(p.Steps))
	for i, s := range p.Steps {
		parts[i] = s.String()
	}
	return strings.Join(parts, plus)
}

// countsText names every count that is possible: "1 or 2 attempts".
func (c Computation) countsText(what string, of func(Path) int) string {
	var counts []int
	for _, p := range c.Paths {
		counts = append(counts, of(p))
	}
	slices.Sort(counts)
	counts = slices.Compact(counts)
	text := counted(counts[len(counts)-1], what)
	for _, n := range slices.Backward(counts[:len(counts)-1]) {
		text = fmt.Sprintf("%d or %s", n, text)
	}
	return text
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
