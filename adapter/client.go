package adapter

import (
	"context"
	"sync"
)

// Client is what the operations with one client id share: its pool, above all.
type Client interface {
	// Call makes one call and returns when control would be back with its
	// caller: with the body read and closed, or with an error. ctx ends with
	// ErrCancelled when the caller cancels. It is called concurrently.
	Call(ctx context.Context, op Operation, s *Session) Result
	// Close frees what the client holds. No call is under way then.
	Close()
}

// Func is a Client without anything to share or to close.
type Func func(ctx context.Context, op Operation, s *Session) Result

func (f Func) Call(ctx context.Context, op Operation, s *Session) Result { return f(ctx, op, s) }
func (f Func) Close()                                                    {}

// Result is what the caller of one call gets.
type Result struct {
	Outcome string // one of Outcomes; empty = Success for a 2xx, UnexpectedStatus for another status, OutcomeOf(Err) with an error
	Last    string // beside RetriesExhausted: how the last attempt failed
	Status  int    // of the last answer; 0 = none
	Body    []byte // the whole body
	Err     error  // what the caller gets; nil with success

	// ErrorType is what a caller finds in Err; empty = ErrorType(Err). For errors
	// that a value of the library tells apart, as in "*url.Error: timeout.ErrExceeded".
	ErrorType string
}

func (r Result) outcome() string {
	switch {
	case r.Outcome != "":
		return r.Outcome
	case r.Err != nil:
		return OutcomeOf(r.Err)
	case r.Status >= 200 && r.Status <= 299:
		return Success
	}
	return UnexpectedStatus
}

// shared is one client id.
type shared struct {
	build sync.Once
	own   Client // nil until an operation needs it
	using sync.WaitGroup

	mu    sync.Mutex
	slots chan struct{} // nil without admission; first come, first served
}

// client builds the client on first use.
func (s *shared) client(build func(Operation) Client, first Operation) Client {
	s.build.Do(func() { s.own = build(first) })
	return s.own
}

// limit is the client's admission: n slots, as whoever comes first says.
func (s *shared) limit(n int) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.slots == nil && n > 0 {
		s.slots = make(chan struct{}, n)
	}
	return s.slots
}

// close waits for the calls under way.
func (s *shared) close() {
	s.using.Wait()
	if s.own != nil {
		s.own.Close()
	}
}
