package fault

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/retryafter"
)

// rehearsal is an Exchange on which no time passes: it notes what a fault does
// and when.
type rehearsal struct {
	phase   eventlog.Phase
	number  int
	started time.Time
	now     time.Time
	answer  Answer
	last    time.Duration // when something was written last
	header  http.Header
	body    bytes.Buffer
	wire    *rehearsedWire // nil unless the fault takes the connection over
}

// Rehearse is what exchange n of an operation of that phase looks like from
// outside. A script that waits at a gate ends there: only the runner knows when
// it will be released.
func Rehearse(f Fault, phase eventlog.Phase, n int) Answer {
	start := time.Unix(0, 0)
	r := &rehearsal{phase: phase, number: n, started: start, now: start, answer: Answer{Headers: Never}}
	err := Serve(f, r)
	switch {
	case err != nil && r.answer.Headers < 0:
		return Answer{Headers: Never}
	case err == nil:
		r.conclude()
	}
	return r.answer
}

// conclude is what a client makes of the answer as a whole.
func (r *rehearsal) conclude() {
	if r.wire != nil && !r.wire.conclude() {
		return
	}
	r.answer.RetryAfter, _ = retryafter.Parse(r.header.Get("Retry-After"), r.started)
	broken := r.header.Get("Content-Encoding") == "gzip"
	if r.answer.Status < 300 && (broken || !bytes.Contains(r.body.Bytes(), []byte(r.Marker()))) {
		r.answer.Outcome = eventlog.InvalidData
	}
	if to := r.header.Get("Location"); to != "" {
		r.answer.Redirect = destination(to)
	}
}

func destination(location string) Redirect {
	if kind, elsewhere := strings.CutPrefix(location, "elsewhere:"); elsewhere {
		return Redirect(kind)
	}
	return NextHop
}

func (r *rehearsal) wrote() time.Duration {
	at := r.now.Sub(r.started)
	r.answer.MaxGap = max(r.answer.MaxGap, at-r.last)
	r.last = at
	return at
}

func (r *rehearsal) Op() string             { return "rehearsal" }
func (r *rehearsal) Number() int            { return r.number }
func (r *rehearsal) OnConnection() int      { return 1 }
func (r *rehearsal) Phase() eventlog.Phase  { return r.phase }
func (r *rehearsal) Marker() string         { return "deadlinelab:rehearsal" }
func (r *rehearsal) Started() time.Time     { return r.started }
func (r *rehearsal) Request() *http.Request { return &http.Request{Method: http.MethodGet} }
func (r *rehearsal) Fired()                 {}
func (r *rehearsal) Record(eventlog.Event)  {}
func (r *rehearsal) Commit() bool           { return true }

// Hold ends the rehearsal.
func (r *rehearsal) Hold() error { return ErrClosed }

func (r *rehearsal) DelayUntil(due time.Time) error {
	if due.After(r.now) {
		r.now = due
	}
	return nil
}

func (r *rehearsal) Headers(status int, header http.Header, _ int64) error {
	r.header = header
	r.answer.Status, r.answer.Headers = status, r.wrote()
	return nil
}

func (r *rehearsal) Write(p []byte) error {
	r.body.Write(p)
	r.answer.Body = r.wrote()
	return nil
}

func (r *rehearsal) Finish() error {
	r.answer.Body = r.wrote()
	return nil
}

func (r *rehearsal) Elsewhere(kind ConnectionKind) (string, error) {
	return "elsewhere:" + string(kind), nil
}

func (r *rehearsal) TakeOver() (Wire, error) {
	r.wire = &rehearsedWire{rehearsal: r}
	return r.wire, nil
}
