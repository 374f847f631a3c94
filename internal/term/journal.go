package term

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// journal is the merged log of one operation, one line per event. The
// caller's deadline and its return are drawn between the events, so that one
// sees what happened after them.
func journal(s chart.Subject, opts Options) []string {
	if len(s.Journal) == 0 {
		return nil
	}
	lines := []string{"", textui.FullName(s.Operation.Label, s.Operation.Variant) + ": both logs on one clock"}
	deadline := false
	list := collapse(s.Journal, s.Operation.BudgetMs)
	for i, e := range list {
		if !deadline && i > 0 && e.Ms >= s.Operation.BudgetMs {
			deadline = true
			lines = append(lines, seam(s.Operation.BudgetMs, "the caller's deadline", opts))
		}
		other := e.Op != "" && e.Op != s.Operation.Op
		text := fmt.Sprintf("  %8.1f ms  %-6s  %-25s %s", wording.Tenths(e.Ms), textui.Plain(e.Side), textui.Plain(string(e.Kind)), e.fields(other))
		lines = append(lines, textui.Cut(strings.TrimRight(text, " "), opts.width(), opts.Glyphs().Cut))
		if e.Kind == eventlog.OperationFinished && !other {
			lines = append(lines, seam(e.Ms, "control is back with the caller", opts))
		}
	}
	return lines
}

// seam divides the journal at a moment that is no event of its own.
func seam(ms float64, text string, opts Options) string {
	dash := string(opts.Glyphs().axis)
	head := fmt.Sprintf("  %8.1f ms  %s %s ", wording.Tenths(ms), strings.Repeat(dash, 2), text)
	return head + strings.Repeat(dash, max(0, min(76, opts.width())-textui.Width(head)))
}

// collapsed is an entry that may stand for a whole streak: sixteen chunks of a
// body, each armed, fired and written, are one line.
type collapsed struct {
	timeline.Entry
	times  int // writes it stands for
	lastMs float64
}

// fewWrites are shown one by one.
const fewWrites = 3

// collapse folds streaks of body writes; none of them reaches over the deadline.
func collapse(entries []timeline.Entry, deadlineMs float64) []collapsed {
	var list []collapsed
	for len(entries) > 0 {
		n := streak(entries, deadlineMs)
		if folded, ok := fold(entries[:n]); ok {
			list = append(list, folded)
		} else {
			for _, e := range entries[:n] {
				list = append(list, collapsed{Entry: e, times: 1})
			}
		}
		entries = entries[n:]
	}
	return list
}

// streak counts the entries at the head that belong to the writing of one
// body; an entry that does not is a streak of one.
func streak(entries []timeline.Entry, deadlineMs float64) int {
	first := entries[0]
	n := 1
	for n < len(entries) && writing(first) && writing(entries[n]) && entries[n].Exchange == first.Exchange && entries[n].Op == first.Op &&
		(first.Ms < deadlineMs) == (entries[n].Ms < deadlineMs) {
		n++
	}
	return n
}

func writing(e timeline.Entry) bool {
	return e.Kind == eventlog.FaultArmed || e.Kind == eventlog.FaultFired || e.Kind == eventlog.ServerBodyWritten
}

// fold makes one line of a streak.
func fold(entries []timeline.Entry) (collapsed, bool) {
	var c collapsed
	for _, e := range entries {
		if e.Kind != eventlog.ServerBodyWritten {
			continue
		}
		if c.times == 0 {
			c.Entry = e
		}
		c.times, c.lastMs, c.Total = c.times+1, e.Ms, e.Total
	}
	return c, c.times > fewWrites
}

// fields are the useful ones: those that say what happened, not where it is
// stored.
func (c collapsed) fields(other bool) string {
	e := c.Event
	var f fieldList
	if other {
		f = append(f, "(other call)")
	}
	if e.Attempt != e.Exchange {
		f.count("attempt", int64(e.Attempt))
	}
	f.count("exchange", int64(e.Exchange))
	f.count("status", int64(e.Status))
	f.text("limit", e.Limit)
	f.ms("planned_ms", e.PlannedMs)
	f.ms("remaining_ms", e.RemainingMs)
	if e.Start != nil {
		f.ms("budget_ms", e.Start.BudgetMs)
	}
	if c.times > 1 {
		f = append(f, fmt.Sprintf("%d writes until %.1f ms", c.times, c.lastMs))
	}
	f.ms("late_ms", e.LateMs)
	if c.times == 1 {
		f.count("bytes", e.Bytes)
	}
	f.count("total", e.Total)
	f.outcome(e)
	f.text("fault", e.Fault)
	return strings.Join(f, " ")
}

type fieldList []string

func (f *fieldList) count(name string, n int64) {
	if n != 0 {
		*f = append(*f, fmt.Sprintf("%s=%d", name, n))
	}
}

func (f *fieldList) ms(name string, ms float64) {
	if ms != 0 {
		*f = append(*f, name+"="+strconv.FormatFloat(wording.Tenths(ms), 'f', -1, 64))
	}
}

func (f *fieldList) text(name, value string) {
	if value != "" {
		*f = append(*f, name+"="+textui.Plain(value))
	}
}

func (f *fieldList) outcome(e eventlog.Event) {
	if e.Reused {
		*f = append(*f, "reused")
	}
	f.text("how", e.How)
	f.text("by", e.By)
	f.text("cause", e.Cause)
	f.text("outcome", string(e.Outcome))
	f.text("last", string(e.Last))
	if e.Outcome == "" {
		f.text("error_type", e.ErrorType)
	}
}
