package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// journal is the merged log of one operation, one line per event. The
// caller's deadline and its return are drawn between the events, so that one
// sees what happened after them.
func journal(s Subject, opts Options) []string {
	if len(s.Journal) == 0 {
		return nil
	}
	lines := []string{"", fmt.Sprintf("%s %s: both logs on one clock", plain(s.Operation.Label), plain(s.Operation.Variant))}
	deadline := false
	list := collapse(s.Journal)
	for i, e := range list {
		if !deadline && i > 0 && e.Ms >= s.Operation.BudgetMs {
			deadline = true
			lines = append(lines, seam(s.Operation.BudgetMs, "the caller's deadline", opts))
		}
		other := e.Op != "" && e.Op != s.Operation.Op
		text := fmt.Sprintf("  %8.1f ms  %-6s  %-25s %s", e.Ms, plain(e.Side), plain(string(e.Kind)), e.fields(other))
		lines = append(lines, cut(strings.TrimRight(text, " "), opts.width(), opts.glyphs()))
		if e.Kind == eventlog.OperationFinished && !other && i < len(list)-1 {
			lines = append(lines, seam(e.Ms, "control is back with the caller", opts))
		}
	}
	return lines
}

// seam divides the journal at a moment that is no event of its own.
func seam(ms float64, text string, opts Options) string {
	dash := string(opts.glyphs().axis)
	head := fmt.Sprintf("  %8.1f ms  %s %s ", ms, strings.Repeat(dash, 2), text)
	return head + strings.Repeat(dash, max(0, min(76, opts.width())-runeLen(head)))
}

// collapsed is an entry that may stand for several of the same kind in a row:
// sixteen chunks of a body are one line.
type collapsed struct {
	timeline.Entry
	times  int
	lastMs float64
}

func collapse(entries []timeline.Entry) []collapsed {
	var list []collapsed
	for _, e := range entries {
		if n := len(list); n > 0 && repeats(list[n-1], e) {
			list[n-1].times++
			list[n-1].lastMs, list[n-1].Event = e.Ms, e.Event
			continue
		}
		list = append(list, collapsed{Entry: e, times: 1})
	}
	return list
}

func repeats(last collapsed, e timeline.Entry) bool {
	return e.Kind == eventlog.ServerBodyWritten && last.Kind == e.Kind && last.Side == e.Side &&
		last.Exchange == e.Exchange
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
	f.ms("late_ms", e.LateMs)
	if c.times == 1 {
		f.count("bytes", e.Bytes)
	}
	f.count("total", e.Total)
	f.outcome(e)
	f.text("fault", e.Fault)
	if c.times > 1 {
		f = append(f, fmt.Sprintf("(%d writes until %.1f ms)", c.times, c.lastMs))
	}
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
		*f = append(*f, name+"="+strconv.FormatFloat(math.Round(ms*10)/10, 'f', -1, 64))
	}
}

func (f *fieldList) text(name, value string) {
	if value != "" {
		*f = append(*f, name+"="+plain(value))
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
