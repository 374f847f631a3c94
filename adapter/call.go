package adapter

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"
)

// call is an operation under way, or a holder of slots.
type call struct {
	session *Session
	cancel  context.CancelCauseFunc
	release chan time.Time
}

// releaseAt hands over the newest instant; an operation has no use for one.
func (c *call) releaseAt(at time.Time) {
	select {
	case <-c.release:
	default:
	}
	c.release <- at
}

// start begins the call of one operation.
func (s *server) start(ctx context.Context, op Operation) error {
	client := s.client(op.Client)
	return s.run(ctx, op, client, op.Slots, func(ctx context.Context, session *Session, _ <-chan time.Time) {
		own, failed := build(client, s.newClient, op)
		session.begin()
		if failed != nil {
			session.finish(*failed)
			return
		}
		ctx, cancel := withCallerDeadline(ctx, session)
		defer cancel()
		session.finish(callOf(ctx, own, op, session))
	})
}

// hold begins to occupy every slot of a client, without a request.
func (s *server) hold(ctx context.Context, a Ask) error {
	op := Operation{Op: a.Op, Client: a.Client, Slots: a.Slots}
	return s.run(ctx, op, s.client(a.Client), a.Slots, func(ctx context.Context, session *Session, release <-chan time.Time) {
		session.begin()
		session.finish(holdUntil(ctx, session, release))
	})
}

func (s *server) run(ctx context.Context, op Operation, client *shared, slots int, do func(context.Context, *Session, <-chan time.Time)) error {
	if s.calls[op.Op] != nil {
		return fmt.Errorf("standard input: operation %q is already under way", op.Op)
	}
	session := &Session{op: op, out: s.out, slots: client.limit(slots), tells: s.tells}
	ctx, cancel := context.WithCancelCause(context.WithValue(ctx, sessionKey{}, session))
	c := &call{session: session, cancel: cancel, release: make(chan time.Time, 1)}
	s.calls[op.Op] = c
	client.using.Add(1)
	go func() {
		defer s.over(op.Op)
		defer client.using.Done()
		defer cancel(nil)
		do(ctx, session, c.release)
	}()
	return nil
}

func (s *server) over(op string) {
	select {
	case s.ended <- op:
	case <-s.gone:
	}
}

func withCallerDeadline(ctx context.Context, s *Session) (context.Context, context.CancelFunc) {
	if s.op.CallerDeadlineMs == nil {
		return ctx, func() {}
	}
	ctx, cancel := context.WithDeadlineCause(ctx, s.start.Add(Ms(*s.op.CallerDeadlineMs)), ErrCallerDeadline)
	s.watch(ctx)
	return ctx, cancel
}

// build is the client of an operation, or the result of a constructor that panicked.
func build(client *shared, newClient func(Operation) Client, op Operation) (own Client, failed *Result) {
	defer func() {
		if p := recover(); p != nil {
			failed = panicked(p)
		}
	}()
	if own = client.client(newClient, op); own == nil {
		failed = &Result{Outcome: ClientError, Err: fmt.Errorf("there is no client for %q: its constructor gave none", op.Client)}
	}
	return own, failed
}

func callOf(ctx context.Context, client Client, op Operation, s *Session) (r Result) {
	defer func() {
		if p := recover(); p != nil {
			r = *panicked(p)
		}
	}()
	return client.Call(ctx, op, s)
}

// PanicError is a panic of the client under test.
type PanicError struct {
	Value any
	At    string // file:line
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic at %s: %v", e.At, e.Value) }

// panicked is called by the deferred function that recovers.
func panicked(value any) *Result {
	return &Result{Outcome: ClientError, Err: &PanicError{Value: value, At: panickedAt()}}
}

// panickedAt is the innermost line that is not the runtime's.
func panickedAt() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(4, pcs)])
	for {
		frame, more := frames.Next()
		if !strings.HasPrefix(frame.Function, "runtime.") {
			return fmt.Sprintf("%s:%d", frame.File[strings.LastIndexByte(frame.File, '/')+1:], frame.Line)
		}
		if !more {
			return "an unknown line"
		}
	}
}

// holdUntil occupies every slot until it is told when to give them back.
func holdUntil(ctx context.Context, s *Session, release <-chan time.Time) Result {
	s.reportNow(Event{Event: AdmissionWaitStarted})
	n := cap(s.slots)
	if err := s.acquire(ctx, n); err != nil {
		return Result{Err: err}
	}
	s.acquired(n)
	defer s.Release()
	var due <-chan time.Time
	for {
		select {
		case at := <-release:
			due = time.After(time.Until(at))
		case <-due:
			return Result{Outcome: Success}
		case <-ctx.Done():
			return Result{Err: s.Observed(ctx)}
		}
	}
}
