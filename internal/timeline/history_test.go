package timeline_test

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// origin is t = 0 of a written history, in nanoseconds of the run's clock.
const origin = int64(5_000_000_000)

// history reads a written history: one event a line,
//
//	side  ms  event  key=value …
//
// with the side c or s, the keys of the log (op, attempt, exchange, conn,
// status, planned_ms …), #n for an exchange, @n for an attempt. The operation
// is "o" unless op= says otherwise ("op=" for none); sequence numbers follow
// the order of the lines of a side, or seq=.
func history(t testing.TB, text string) timeline.Input {
	t.Helper()
	var in timeline.Input
	last := map[string]uint64{}
	for n, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "--" {
			continue
		}
		e, err := readEvent(words)
		if err != nil {
			t.Fatalf("history line %d %q: %v", n+1, line, err)
		}
		log := words[0] + e.Exp
		if e.Seq == 0 {
			e.Seq = last[log] + 1
		}
		last[log] = e.Seq
		if words[0] == "c" {
			in.Client = append(in.Client, e)
		} else {
			in.Server = append(in.Server, e)
		}
	}
	return in
}

func readEvent(words []string) (eventlog.Event, error) {
	e := eventlog.Event{Kind: eventlog.Kind(words[2]), Op: "o"}
	if words[0] == "s" {
		e.Exp = "x"
	}
	e.TNs = at(words[1])
	if e.Kind == eventlog.OperationStarted {
		e.Start = &eventlog.Start{Scenario: "slow", Variant: "operation_deadline", Label: "D", Repeat: 1, Index: 1, Phase: eventlog.Measured, BudgetMs: 1000}
	}
	for _, word := range words[3:] {
		key, value, _ := strings.Cut(strings.NewReplacer("#", "exchange=", "@", "attempt=").Replace(word), "=")
		set, known := keys[key]
		if !known {
			return e, fmt.Errorf("unknown key %q", key)
		}
		set(&e, value)
	}
	if e.Start != nil && e.Start.DeadlineNs == 0 {
		e.Start.DeadlineNs = cmp.Or(e.AtNs, e.TNs) + int64(e.Start.BudgetMs*1e6)
	}
	return e, nil
}

var keys = map[string]func(e *eventlog.Event, v string){
	"op":          func(e *eventlog.Event, v string) { e.Op = v },
	"exp":         func(e *eventlog.Event, v string) { e.Exp = v },
	"seq":         func(e *eventlog.Event, v string) { e.Seq = uint64(number(v)) },
	"attempt":     func(e *eventlog.Event, v string) { e.Attempt = int(number(v)) },
	"exchange":    func(e *eventlog.Event, v string) { e.Exchange = int(number(v)) },
	"conn":        func(e *eventlog.Event, v string) { e.Conn = v },
	"status":      func(e *eventlog.Event, v string) { e.Status = int(number(v)) },
	"bytes":       func(e *eventlog.Event, v string) { e.Bytes = int64(number(v)) },
	"planned_ms":  func(e *eventlog.Event, v string) { e.PlannedMs = number(v) },
	"late_ms":     func(e *eventlog.Event, v string) { e.LateMs = number(v) },
	"due":         func(e *eventlog.Event, v string) { e.DueNs = at(v) },
	"count":       func(e *eventlog.Event, v string) { e.Count = int64(number(v)) },
	"how":         func(e *eventlog.Event, v string) { e.How = v },
	"cause":       func(e *eventlog.Event, v string) { e.Cause = v },
	"limit":       func(e *eventlog.Event, v string) { e.Limit = v },
	"gate":        func(e *eventlog.Event, v string) { e.Gate = v },
	"error":       func(e *eventlog.Event, v string) { e.Error = v },
	"outcome":     func(e *eventlog.Event, v string) { e.Outcome = eventlog.Outcome(v) },
	"last":        func(e *eventlog.Event, v string) { e.Last = eventlog.Outcome(v) },
	"budget_ms":   func(e *eventlog.Event, v string) { e.Start.BudgetMs = number(v) },
	"scenario":    func(e *eventlog.Event, v string) { e.Start.Scenario = v },
	"variant":     func(e *eventlog.Event, v string) { e.Start.Variant = v },
	"phase":       func(e *eventlog.Event, v string) { e.Start.Phase = eventlog.Phase(v) },
	"for":         func(e *eventlog.Event, v string) { e.Start.For = v },
	"group":       func(e *eventlog.Event, v string) { e.Start.Group = v },
	"caller":      func(e *eventlog.Event, v string) { e.Start.Caller = int(number(v)) },
	"deadline":    func(e *eventlog.Event, v string) { e.Start.DeadlineNs = at(v) },
	"t0":          func(e *eventlog.Event, v string) { e.Start.T0Ns = at(v) },
	"repeat":      func(e *eventlog.Event, v string) { e.Start.Repeat = int(number(v)) },
	"at":          func(e *eventlog.Event, v string) { e.AtNs = at(v) },
	"client":      func(e *eventlog.Event, v string) { e.Start.Client = v },
	"blind":       func(e *eventlog.Event, v string) { e.Start.Blind = true },
	"heard":       func(e *eventlog.Event, v string) { e.Start.Heard = true },
	"error_type":  func(e *eventlog.Event, v string) { e.ErrorType = v },
	"of_scenario": func(e *eventlog.Event, v string) { e.Header = &eventlog.Header{Side: "server", Scenario: v} },
}

func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return v
}

func at(ms string) int64 { return origin + int64(number(ms)*1e6+0.5) }

// merged merges a written history and returns its operation o.
func merged(t testing.TB, text string) (*timeline.Run, *timeline.Operation) {
	t.Helper()
	run := timeline.Merge(history(t, text))
	return run, run.Operation("o")
}

func trim(ms float64) string { return strconv.FormatFloat(ms, 'f', -1, 64) }
