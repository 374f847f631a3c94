package view

import (
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// Column is one variant, and how often it was in time: neither late nor
// unbounded.
type Column struct {
	Label, Variant, Summary string
	Client                  *verdict.Client          // in a process of its own; nil for a variant
	NotApplicable           int                      // scenarios in which it cannot be measured
	Undecided               int                      // scenarios in which too many operations ended too near the deadline to be judged net of a start-up
	InTime, Scenarios       int                      // scenarios in which the commonest promise was in time
	Overrun, Operations     int                      // operations that were late or unbounded
	Broken                  []*Cell                  // where it was typically late or unbounded
	promises                map[timeline.Promise]int // scenarios by commonest promise
}

func (c *Column) count(one *Cell) {
	s := one.Series
	if s.NotApplicable != "" {
		c.NotApplicable++
	}
	if s.N == 0 {
		return
	}
	c.Scenarios++
	if c.promises == nil {
		c.promises = map[timeline.Promise]int{}
	}
	c.promises[one.Promise]++
	c.Operations += s.N
	c.Overrun += s.Promise[string(timeline.Late)] + s.Promise[string(timeline.Unbounded)]
	switch {
	case one.InTime():
		c.InTime++
	case one.Promise == wording.Unsure:
		c.Undecided++
	default:
		c.Broken = append(c.Broken, one)
	}
}

// Held tells a variant that is known to have been in time in every scenario.
func (c *Column) Held() bool { return c.InTime == c.Scenarios }

// Broke tells one that was typically too late in a scenario.
func (c *Column) Broke() bool { return len(c.Broken) > 0 }

// InWords says where the variant was too late and by how much; where it never
// was, what its callers got instead.
func (c *Column) InWords() string {
	if !c.Broke() {
		return c.heldWords() + c.Elsewhere()
	}
	var late []string
	for _, one := range c.Broken {
		late = append(late, textui.Plain(one.Series.Scenario)+" "+one.Overrun())
	}
	return fmt.Sprintf("too late in %d of %d: %s", len(c.Broken), c.Scenarios, strings.Join(late, ", ")) + c.Elsewhere()
}

// heldWords is of a variant that was too late in none, as far as it is known. One
// whose typical call was in time was not in time.
func (c *Column) heldWords() string {
	text := fmt.Sprintf("in time in all %d scenarios", c.Scenarios)
	switch {
	case c.InTime == 0:
		return "not known to be in time"
	case !c.Held():
		text = fmt.Sprintf("in time in %d of %d scenarios", c.InTime, c.Scenarios)
	case c.Scenarios == 1:
		text = "in time in the one scenario"
	}
	if c.Overrun > 0 {
		return fmt.Sprintf("%d of %d operations too late; typically %s (%s)", c.Overrun, c.Operations, text, c.got())
	}
	return text + " (" + c.got() + ")"
}

// got is what the typical caller got, in how many scenarios: being in time with
// an error is not being served.
func (c *Column) got() string {
	var parts []string
	for _, p := range timeline.Promises {
		if n := c.promises[p]; n > 0 && n == c.InTime {
			return wording.DressOf(string(p)).Word
		} else if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, wording.DressOf(string(p)).Word))
		}
	}
	return strings.Join(parts, ", ")
}

// Tried tells whether there is anything to say about the variant.
func (c *Column) Tried() bool { return c.Scenarios > 0 }

// Name is "D operation_deadline".
func (c *Column) Name() string { return textui.FullName(c.Label, c.Variant) }

// Elsewhere is where being in time depends on the length of a start-up, and
// where the variant cannot be measured.
func (c *Column) Elsewhere() string {
	var text string
	if c.Undecided > 0 {
		text = fmt.Sprintf("; too close to its start-up to tell in %d", c.Undecided)
	}
	if c.NotApplicable > 0 {
		text += fmt.Sprintf("; not applicable in %d", c.NotApplicable)
	}
	return text
}
