package runner

import (
	"net/http"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// rehearsal is an Exchange on which no time passes: it notes what a fault
// would do and when, for exchanges of helpers, which fault.Answer leaves out.
type rehearsal struct {
	phase   eventlog.Phase
	number  int
	started time.Time
	now     time.Time
	answer  fault.Answer
	last    time.Duration // when something was written last
}

// rehearse is what exchange n of an operation of that phase looks like from outside.
func rehearse(f fault.Fault, phase eventlog.Phase, n int) fault.Answer {
	start := time.Unix(0, 0)
	r := &rehearsal{phase: phase, number: n, started: start, now: start, answer: fault.Answer{Headers: -1}}
	if err := fault.Serve(f, r); err != nil && r.answer.Headers < 0 {
		return fault.Answer{Headers: -1}
	}
	return r.answer
}

func (r *rehearsal) wrote() time.Duration {
	at := r.now.Sub(r.started)
	r.answer.MaxGap = max(r.answer.MaxGap, at-r.last)
	r.last = at
	return at
}

func (r *rehearsal) Op() string             { return "rehearsal" }
func (r *rehearsal) Number() int            { return r.number }
func (r *rehearsal) Phase() eventlog.Phase  { return r.phase }
func (r *rehearsal) Marker() string         { return "marker" }
func (r *rehearsal) Started() time.Time     { return r.started }
func (r *rehearsal) Request() *http.Request { return &http.Request{Method: http.MethodGet} }
func (r *rehearsal) Fired()                 {}
func (r *rehearsal) Record(eventlog.Event)  {}

// Hold ends the rehearsal: only the runner knows when it will release the gate.
func (r *rehearsal) Hold() error { return fault.ErrClosed }

func (r *rehearsal) DelayUntil(due time.Time) error {
	if due.After(r.now) {
		r.now = due
	}
	return nil
}

func (r *rehearsal) Headers(status int, _ http.Header, _ int64) error {
	r.answer.Status, r.answer.Headers = status, r.wrote()
	return nil
}

func (r *rehearsal) Write([]byte) error {
	r.answer.Body = r.wrote()
	return nil
}

func (r *rehearsal) Finish() error {
	r.answer.Body = r.wrote()
	return nil
}
