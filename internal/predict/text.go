package predict

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/textui"
)

func (c Computation) Write(w io.Writer) {
	if c.NotComputed != "" {
		Hang(w, fmt.Sprintf("  %-26s  ", textui.FullName(c.Variant.Label, c.Variant.Name)), c.NotComputed, " ")
		return
	}
	Hang(w, fmt.Sprintf("  %-26s  ", textui.FullName(c.Variant.Label, c.Variant.Name)), c.resultText(), resultGap)
	Hang(w, "    path:  ", c.pathText(), plus)
	if c.Scenario.Callers != nil {
		Hang(w, "    callers: ", c.callersText(), " ")
	}
	if c.Chance != "" {
		Hang(w, "    chance: ", c.Chance, " ")
	}
	Hang(w, "    worst: ", c.Worst.Text, " ")
	for _, d := range c.disagreements() {
		Hang(w, "    DIFFERS: ", d, " ")
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
		return clock.MsText(longest)
	}
	return fmt.Sprintf("%s … %s", strings.TrimSuffix(rounded(shortest), " ms"), rounded(longest))
}

// rounded is a duration to the microsecond.
func rounded(d time.Duration) string { return clock.MsText(d.Round(time.Microsecond)) }

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
	text := textui.Count(counts[len(counts)-1], what)
	for _, n := range slices.Backward(counts[:len(counts)-1]) {
		text = fmt.Sprintf("%d or %s", n, text)
	}
	return text
}
