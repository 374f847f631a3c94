package adapter

import (
	"cmp"
	"context"
	"sync"
	"time"
)

// Session is one call as it reports itself to the bench. Everything in it is
// optional and safe for concurrent use; reports go nowhere after the call has
// returned, and from a nil Session.
type Session struct {
	op    Operation
	out   *outbox
	slots chan struct{} // nil without admission
	tells bool          // of attempts: hello claims that it does

	mu       sync.Mutex
	start    time.Time
	over     bool
	holding  int // slots
	attempts []*Attempt
	pausing  bool
	fired    bool
	observed bool
	watched  []context.Context
}

type sessionKey struct{}

// FromContext is the session of the call that ctx belongs to; nil outside one.
func FromContext(ctx context.Context) *Session {
	s, _ := ctx.Value(sessionKey{}).(*Session)
	return s
}

// Start is t0: the instant of the call, before any queue.
func (s *Session) Start() time.Time { return s.start }

// Deadline is when the budget of the caller is spent.
func (s *Session) Deadline() time.Time { return s.start.Add(Ms(s.op.BudgetMs)) }

// WithDeadline is ctx ended with ErrDeadline at Deadline; deadline_fired is
// reported when it does.
func (s *Session) WithDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithDeadlineCause(ctx, s.Deadline(), ErrDeadline)
	s.watch(ctx)
	return ctx, cancel
}

// Ms is a duration of the protocol, which counts in milliseconds.
func Ms(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// watch reports deadline_fired as soon as ctx ends by a deadline.
func (s *Session) watch(ctx context.Context) {
	s.mu.Lock()
	s.watched = append(s.watched, ctx)
	s.mu.Unlock()
	context.AfterFunc(ctx, s.noteDeadline)
}

func (s *Session) noteDeadline() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noteFired()
}

// noteFired needs mu. Whatever follows from a deadline is reported after it.
func (s *Session) noteFired() {
	for _, ctx := range s.watched {
		if cause := stopCause(ctx); !s.fired && (cause == ErrDeadline || cause == ErrCallerDeadline) {
			s.fired = true
			s.report(Event{Event: DeadlineFired})
		}
	}
}

// Observed reports that the call's code has seen that ctx has ended, and by
// what: context.Cause(ctx). It is nil while ctx has not ended.
func (s *Session) Observed(ctx context.Context) error {
	if ctx.Err() != nil && s != nil {
		s.mu.Lock()
		s.noteObserved(ctx)
		s.mu.Unlock()
	}
	return context.Cause(ctx)
}

// noteObserved needs mu.
func (s *Session) noteObserved(ctx context.Context) {
	s.noteFired()
	if stopCause(ctx) != nil && !s.observed {
		s.observed = true
		s.report(Event{Event: CancellationObserved})
	}
}

// report needs mu.
func (s *Session) report(e Event) time.Time {
	if s.over {
		return time.Now()
	}
	e.Op = s.op.Op
	return s.out.event(e)
}

// begin takes t0.
func (s *Session) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start = s.report(Event{Event: OperationStarted})
}

// finish reports the end of the call; what the call left open is closed first.
func (s *Session) finish(r Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noteFired()
	for _, a := range s.attempts {
		a.finalize()
	}
	for s.holding > 0 {
		s.release()
	}
	s.report(finished(r))
	s.over = true
}

// finished never carries more than the protocol allows.
func finished(r Result) Event {
	e := Event{Event: OperationFinished, Outcome: r.outcome(), Last: r.Last, Status: r.Status, Bytes: int64(len(r.Body))}
	if r.Err != nil {
		e.ErrorType, e.Error = short(cmp.Or(r.ErrorType, ErrorType(r.Err))), short(r.Err.Error())
	}
	if e.Outcome == Success {
		e.Body = string(r.Body[max(0, len(r.Body)-BodyKept):])
	}
	return e
}

const shortText = 500 // bytes of an error that people get to see

func short(text string) string { return text[:min(len(text), shortText)] }
