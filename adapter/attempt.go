package adapter

import "context"

// Attempt is one call into the HTTP layer, with its body. It ends with exactly
// one of Finished, TimedOut, Cancelled and Failed; later reports go nowhere.
// NewTransport reports attempts by itself. Without CanAttempts in the hello all
// of it goes nowhere.
type Attempt struct {
	session *Session // nil: reports go nowhere
	n       int
	status  int
	ended   bool
	between bool // a redirect's body is closed, the next request has not begun
}

// StartAttempt reports the next attempt. A pause that was under way has finished.
func (s *Session) StartAttempt() *Attempt {
	if s == nil {
		return &Attempt{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finishPause()
	a := &Attempt{session: s, n: len(s.attempts) + 1}
	s.attempts = append(s.attempts, a)
	a.report(Event{Event: AttemptStarted})
	return a
}

// Attempts is how many attempts the call has begun so far.
func (s *Session) Attempts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.attempts)
}

// Number of the attempt, from 1; 0 outside a call.
func (a *Attempt) Number() int { return a.n }

// HeadersReceived reports the response head.
func (a *Attempt) HeadersReceived(status int) {
	a.locked(func() {
		a.status = status
		a.report(Event{Event: HeadersReceived, Status: status})
	})
}

// BodyFinished reports the end of the body, after that many bytes.
func (a *Attempt) BodyFinished(bytes int64) {
	a.locked(func() { a.report(Event{Event: BodyFinished, Bytes: bytes}) })
}

// Finished ends the attempt: an answer was received, whatever its status; 0 is
// that of HeadersReceived.
func (a *Attempt) Finished(status int) {
	a.locked(func() {
		if status != 0 {
			a.status = status
		}
		a.end(Event{Event: AttemptFinished, Status: a.status})
	})
}

// TimedOut ends the attempt: one of its limits acted. limit is total_ms,
// connect_ms, sock_connect_ms, sock_read_ms, or empty for another one.
func (a *Attempt) TimedOut(limit string, err error) { a.endWith(AttemptTimedOut, limit, err) }

// Cancelled ends the attempt: what ended it was outside of it.
func (a *Attempt) Cancelled(err error) { a.endWith(AttemptCancelled, "", err) }

// Failed ends the attempt by an error of its own.
func (a *Attempt) Failed(err error) { a.endWith(AttemptFailed, "", err) }

func (a *Attempt) endWith(event, limit string, err error) {
	e := Event{Event: event, Limit: limit}
	if err != nil {
		e.ErrorType, e.Error = short(ErrorType(err)), short(err.Error())
	}
	a.locked(func() {
		if event == AttemptFailed {
			e.Status = a.status
		}
		a.session.noteFired()
		a.end(e)
	})
}

// finalize ends an attempt whose call will not; it needs the session's mu.
func (a *Attempt) finalize() {
	if a.between {
		a.end(Event{Event: AttemptFinished, Status: a.status})
		return
	}
	a.end(Event{Event: AttemptFailed, Status: a.status, ErrorType: "unclosed", Error: "the call returned without ending the attempt"})
}

// observed reports that ctx ended an attempt from outside.
func (a *Attempt) observed(ctx context.Context) {
	a.locked(func() { a.session.noteObserved(ctx) })
}

func (a *Attempt) locked(f func()) {
	if a.session == nil {
		return
	}
	a.session.mu.Lock()
	defer a.session.mu.Unlock()
	f()
}

// report needs the session's mu.
func (a *Attempt) report(e Event) {
	if !a.ended && a.session.tells {
		e.Attempt = a.n
		a.session.report(e)
	}
}

// end needs the session's mu.
func (a *Attempt) end(e Event) {
	a.report(e)
	a.ended = true
}
