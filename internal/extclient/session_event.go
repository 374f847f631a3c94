package extclient

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/nearest"
)

// Limits of what an event says.
const (
	MaxAttempts = 10_000
	maxError    = 1000 // characters of an error's text; the rest is cut off
	maxClass    = 200  // characters of an error's type; the rest is cut off

	MaxPlannedMs = 86_400_000 // a pause
)

// EventKind is what an event of one kind carries besides op and t_ns.
type EventKind struct {
	Name       string
	Needs      []string // keys that are always there
	May        []string
	OfAttempts bool // only from a client that claims attempts
	Meaning    string
}

func keys(names ...string) []string { return names }

// EventKinds are the events of the protocol.
var EventKinds = []EventKind{
	{Name: adapter.OperationStarted, Meaning: "the instant of the caller's call, before the client does anything: t0; the first event of every operation"},
	{Name: adapter.AdmissionWaitStarted, Meaning: "the operation asks for a slot"},
	{Name: adapter.AdmissionAcquired, Meaning: "it has one; of hold_slot: it has all of them"},
	{Name: adapter.AdmissionReleased, Meaning: "it gave the slot back"},
	{Name: adapter.AttemptStarted, Needs: keys("attempt"), OfAttempts: true, Meaning: "the client calls into its HTTP layer, before the pool's queue"},
	{Name: adapter.HeadersReceived, Needs: keys("attempt", "status"), OfAttempts: true, Meaning: "the head of the response was read"},
	{Name: adapter.BodyFinished, Needs: keys("attempt", "bytes"), OfAttempts: true, Meaning: "the body was read to its end"},
	{Name: adapter.AttemptFinished, Needs: keys("attempt"), May: keys("status"), OfAttempts: true, Meaning: "the attempt ended with a complete response"},
	{Name: adapter.AttemptTimedOut, Needs: keys("attempt"), May: keys("limit", "status", "error_type", "error"), OfAttempts: true, Meaning: "a limit of the attempt ended it"},
	{Name: adapter.AttemptCancelled, Needs: keys("attempt"), May: keys("status", "error_type", "error"), OfAttempts: true, Meaning: "the operation's deadline or its caller ended it"},
	{Name: adapter.AttemptFailed, Needs: keys("attempt"), May: keys("status", "error_type", "error"), OfAttempts: true, Meaning: "it ended with an error of its own, or with a status that is to be retried"},
	{Name: adapter.BackoffStarted, Needs: keys("planned_ms"), May: keys("attempt"), Meaning: "the pause after an attempt begins"},
	{Name: adapter.BackoffFinished, May: keys("attempt"), Meaning: "it was slept to its planned end; a pause that is cut short has none"},
	{Name: adapter.DeadlineFired, Meaning: "the limit on the whole operation acted"},
	{Name: adapter.CancellationObserved, May: keys("attempt"), Meaning: "the client's code has seen that it was stopped"},
	{Name: adapter.OperationFinished, Needs: keys("outcome"), May: keys("last", "status", "bytes", "error_type", "error", "body"),
		Meaning: "control is back with the caller: body read and closed, slot given back; the last event of every operation"},
}

// AttemptLimits are what an attempt_timed_out may name.
var AttemptLimits = []string{"total_ms", "connect_ms", "sock_connect_ms", "sock_read_ms"}

func kindOf(name string) (EventKind, error) {
	names := make([]string, len(EventKinds))
	for i, k := range EventKinds {
		if k.Name == name {
			return k, nil
		}
		names[i] = k.Name
	}
	return EventKind{}, violationf("an event of the protocol"+nearest.DidYouMean(name, names), "the event %s", excerpt([]byte(name)))
}

// parseEvent reads an event of a client and checks what can be checked of it
// alone. Keys that its kind does not carry are left out.
func parseEvent(o object, h *adapter.Hello) (adapter.Event, error) {
	r := &reader{object: o}
	e := adapter.Event{Type: adapter.TypeEvent}
	if !r.text("op", &e.Op) {
		r.missing("op", "the id of the operation that the event belongs to")
	}
	if !r.text("event", &e.Event) {
		r.missing("event", "the kind of the event")
	}
	if r.err != nil {
		return e, r.err
	}
	k, err := kindOf(e.Event)
	if err != nil {
		return e, err
	}
	if k.OfAttempts && !slices.Contains(h.Capabilities, adapter.CanAttempts) {
		return e, violationf(fmt.Sprintf("none from a client that does not claim %q in its hello", adapter.CanAttempts), "the event %s", k.Name)
	}
	r.time(&e, h.Clock)
	r.carried(k, &e)
	return e, r.err
}

// time reads t_ns. A client without a clock of the host has none to give.
func (r *reader) time(e *adapter.Event, clock string) {
	if clock == adapter.ClockMonotonic && !r.whole("t_ns", 1, math.MaxInt64, &e.TNs) {
		r.missing("t_ns", "nanoseconds of CLOCK_MONOTONIC, as promised by the clock of its hello")
	}
}

func (r *reader) carried(k EventKind, e *adapter.Event) {
	for _, key := range k.Needs {
		if !r.carry(key, e) {
			r.missing(key, "one in every "+k.Name)
		}
	}
	for _, key := range k.May {
		r.carry(key, e)
	}
	if k.Name == adapter.OperationFinished && e.Last != "" && e.Outcome != adapter.RetriesExhausted {
		r.refuse("last", r.object["last"], "none but beside "+adapter.RetriesExhausted)
	}
}

// carry reads one key into the event and tells whether it was there.
func (r *reader) carry(key string, e *adapter.Event) (there bool) {
	switch key {
	case "attempt":
		return r.number(key, 1, MaxAttempts, &e.Attempt)
	case "status":
		return r.number(key, 100, 999, &e.Status)
	case "bytes":
		return r.whole(key, 0, math.MaxInt64, &e.Bytes)
	case "planned_ms":
		return r.milliseconds(key, &e.PlannedMs)
	case "limit":
		return r.among(key, AttemptLimits, &e.Limit)
	case "outcome":
		return r.outcome(key, &e.Outcome)
	case "last":
		return r.outcome(key, &e.Last)
	case "error_type":
		return r.cut(key, maxClass, &e.ErrorType)
	case "error":
		return r.cut(key, maxError, &e.Error)
	}
	return r.body(&e.Body)
}

func (r *reader) number(key string, least, most int64, into *int) bool {
	n := int64(0)
	there := r.whole(key, least, most, &n)
	*into = int(n)
	return there
}

func (r *reader) milliseconds(key string, into *float64) bool {
	expected := fmt.Sprintf("milliseconds, 0 to %d", MaxPlannedMs)
	there := read(r, key, expected, into)
	if there && !(*into >= 0 && *into <= MaxPlannedMs) {
		r.refuse(key, r.object[key], expected)
	}
	return there
}

func (r *reader) among(key string, known []string, into *string) bool {
	there := r.text(key, into)
	if there && r.err == nil && !slices.Contains(known, *into) {
		r.refuse(key, r.object[key], "one of "+strings.Join(known, ", ")+nearest.DidYouMean(*into, known))
	}
	return there
}

func (r *reader) outcome(key string, into *string) bool {
	return r.among(key, EventOutcomes(key), into)
}

// EventOutcomes are what the keys outcome and last may say: the closed list,
// but that the hard cap was reached is for the bench to say.
func EventOutcomes(key string) []string {
	var known []string
	for _, o := range eventlog.Outcomes {
		if o != eventlog.CapReached && (key != "last" || o != eventlog.Success && o != eventlog.RetriesExhausted) {
			known = append(known, string(o))
		}
	}
	return known
}

func (r *reader) cut(key string, most int, into *string) bool {
	there := r.text(key, into)
	if runes := []rune(*into); len(runes) > most {
		*into = string(runes[:most-1]) + "…"
	}
	return there
}

func (r *reader) body(into *string) bool {
	there := r.text("body", into)
	if there && utf8.RuneCountInString(*into) > adapter.BodyKept {
		r.refuse("body", r.object["body"], fmt.Sprintf("at most its last %d bytes", adapter.BodyKept))
	}
	return there
}

// eventOf is the event as it goes into the log, for an operation that began at
// t0 with that budget.
func eventOf(e *adapter.Event, atNs, t0Ns int64, budget time.Duration) eventlog.Event {
	made := eventlog.Event{Kind: eventlog.Kind(e.Event), AtNs: atNs, Attempt: e.Attempt, PlannedMs: e.PlannedMs, Status: e.Status,
		Bytes: e.Bytes, Limit: e.Limit, ErrorType: e.ErrorType, Error: e.Error}
	if e.Event == adapter.AttemptStarted || e.Event == adapter.BackoffStarted {
		made.RemainingMs = float64(t0Ns+int64(budget)-atNs) / 1e6
	}
	return made
}
