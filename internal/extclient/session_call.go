package extclient

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// flight is one operation in flight, or a holder of slots.
type flight struct {
	*variants.Call
	sentNs int64
	begun  chan struct{} // operation_started has come
	done   chan struct{}
	ending variants.Ending // once done

	mu      sync.Mutex // held while the caller is told
	over    bool       // nothing is told any more
	events  int
	t0Ns    int64 // 0 = not begun
	lastNs  int64
	holds   bool // Holding was called
	lenient bool // it was cancelled: what comes after its end is ignored
}

// broke is the end of a call whose client did not do what a client must.
func broke(why string) variants.Ending {
	return variants.Ending{Outcome: eventlog.ClientError, Error: why, Broken: why}
}

// finish ends the call once; later ones are ignored.
func (c *flight) finish(e variants.Ending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return
	}
	c.over, c.ending = true, e
	close(c.done)
}

// Call makes one call through the client. A client that is broken is not asked
// any more.
func (s *session) Call(ctx context.Context, vc *variants.Call) variants.Ending {
	sent := time.Now()
	c := &flight{Call: vc, sentNs: s.clk.Ns(sent), begun: make(chan struct{}), done: make(chan struct{})}
	if err := s.admit(c); err != nil {
		vc.Began(sent)
		return broke(err.Error())
	}
	if vc.HoldSlots {
		s.send(adapter.Ask{Type: adapter.TypeHoldSlot, Op: vc.Op, Client: vc.Client, Slots: vc.Slots})
	} else {
		s.send(s.operation(vc))
	}
	ending := s.follow(ctx, c)
	if c.t0Ns == 0 {
		vc.Began(sent)
	}
	return ending
}

// NotAsked begins why a call ended that a client was never asked to make: what
// broke the client, before it, stands behind it.
const NotAsked = "it was not asked any more: "

// admit makes the operation known, so that its events find it.
func (s *session) admit(c *flight) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, twice := s.past[c.Op]
	switch {
	case s.broken != nil:
		return fmt.Errorf(NotAsked+"%w", s.broken)
	case s.stopped:
		return errStopped
	case twice || s.calls[c.Op] != nil:
		return fmt.Errorf("client %s: the bench asks for the operation %s twice", s.name, c.Op)
	}
	s.calls[c.Op] = c
	s.clients[c.Client] = true
	return nil
}

// follow waits for the end of a call.
func (s *session) follow(ctx context.Context, c *flight) variants.Ending {
	silence := time.NewTimer(startedWithin)
	defer silence.Stop()
	begun, until := c.begun, c.Until
	for {
		select {
		case <-c.done:
			return c.ending
		case <-begun:
			begun = nil
			silence.Stop()
		case <-silence.C:
			s.fail(neverStarted(c))
		case at := <-until:
			until = nil
			s.release(c, at)
		case <-ctx.Done():
			return s.end(ctx, c, silence)
		}
	}
}

func neverStarted(c *flight) error {
	asked := "operation"
	if c.HoldSlots {
		asked = "hold_slot"
	}
	return fmt.Errorf("found no operation_started for %s within %s of %s, expected one at once, flushed", c.Op, startedWithin, asked)
}

// end is the rest of follow for a call that has to end now. The caller's
// cancel is only a wish: the call returns when the client lets it, or is
// forgotten.
func (s *session) end(ctx context.Context, c *flight, silence *time.Timer) variants.Ending {
	s.ask(c)
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, variants.ErrCancelled) && !c.HoldSlots:
		select {
		case <-c.done:
		case <-c.begun:
			<-c.done
		case <-silence.C:
			s.fail(neverStarted(c))
			<-c.done
		}
		return c.ending
	case errors.Is(cause, variants.ErrCap):
		return s.endAtCap(c)
	}
	s.leave(c, variants.Ending{Outcome: eventlog.Cancelled, Error: "the run was given up"})
	return c.ending
}

// ask lets the client know that the call is to end, if it can be told.
func (s *session) ask(c *flight) {
	c.mu.Lock()
	c.lenient = true
	c.mu.Unlock()
	switch {
	case c.HoldSlots:
		s.send(adapter.Ask{Type: adapter.TypeRelease, Op: c.Op})
	case s.can(adapter.CanCancel):
		s.send(adapter.Ask{Type: adapter.TypeCancel, Op: c.Op})
	}
}

// endAtCap is a measurement, not a breach: the client had its time.
func (s *session) endAtCap(c *flight) variants.Ending {
	timer := time.NewTimer(leaveWithin)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-timer.C:
		s.leave(c, variants.Ending{Outcome: eventlog.CapReached, Error: fmt.Sprintf("it did not return within %s of the hard cap, and was left behind", leaveWithin)})
	}
	if e := c.ending; e.Broken != "" || e.Outcome == eventlog.CapReached {
		return e
	}
	e := c.ending
	e.Outcome, e.Last = eventlog.CapReached, e.Outcome
	return e
}

// leave ends a call on the bench's side alone: what still comes of it is ignored.
func (s *session) leave(c *flight, e variants.Ending) {
	s.retire(c, true)
	c.finish(e)
}

// retire puts a call to those that have ended, unless it is there; ignored tells
// whether what else comes of it is.
func (s *session) retire(c *flight, ignored bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls[c.Op] == c {
		delete(s.calls, c.Op)
		s.past[c.Op] = ignored
	}
}

// Forget closes the client with this id, and leaves behind what it still does.
func (s *session) Forget(client string) {
	s.mu.Lock()
	known, open := s.clients[client], s.broken == nil && !s.stopped
	delete(s.clients, client)
	var left []*flight
	for _, c := range s.calls {
		if c.Client == client {
			left = append(left, c)
		}
	}
	s.mu.Unlock()
	for _, c := range left {
		s.ask(c)
		s.leave(c, variants.Ending{Outcome: eventlog.CapReached, Error: "it had not returned when its client was closed, and was left behind"})
	}
	if known && open {
		s.send(adapter.Ask{Type: adapter.TypeClose, Client: client})
	}
}
