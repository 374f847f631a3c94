package extclient

import (
	"fmt"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// skew is how far a client's time may be off: two readings of one clock by two
// processes can differ by that much at most.
const skew = int64(200 * time.Microsecond)

// event takes one event of the client.
func (s *session) event(o object, arrived int64) error {
	e, err := parseEvent(o, &s.hello)
	if err != nil {
		return err
	}
	c, err := s.callOf(&e)
	if c == nil {
		return err
	}
	c.mu.Lock()
	if c.over {
		c.mu.Unlock()
		return nil // left behind this very moment
	}
	err = s.tell(c, &e, arrived)
	c.mu.Unlock()
	if err == nil && e.Event == adapter.OperationFinished {
		s.finished(c, &e)
	}
	return err
}

// callOf finds the call of an event. There is none, and no error, for what is
// to be ignored.
func (s *session) callOf(e *adapter.Event) (*flight, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.calls[e.Op]; c != nil || s.broken != nil || s.stopped {
		return c, nil
	}
	ignored, was := s.past[e.Op]
	switch {
	case ignored:
		return nil, nil
	case was:
		return nil, violationf("nothing more of an operation after its operation_finished", "%s of %s, which has ended", e.Event, e.Op)
	}
	return nil, violationf("the id of an operation that is in flight", "%s of the operation %s, which nobody asked for", e.Event, excerpt([]byte(e.Op)))
}

// tell checks an event against those before it and hands it on.
func (s *session) tell(c *flight, e *adapter.Event, arrived int64) error {
	if c.events++; c.events > mostEvents {
		return violationf(fmt.Sprintf("at most %d", mostEvents), "a flood: more than %d events of %s", mostEvents, c.Op)
	}
	if (e.Event == adapter.OperationStarted) != (c.t0Ns == 0) {
		return violationf("operation_started as its first event, once", "%s of %s", e.Event, c.Op)
	}
	atNs, err := s.when(c, e, arrived)
	if err != nil {
		return err
	}
	switch e.Event {
	case adapter.OperationStarted:
		c.t0Ns = atNs
		c.Began(s.clk.At(atNs))
		close(c.begun)
	case adapter.OperationFinished:
	default:
		c.Heard(eventOf(e, atNs, c.t0Ns, c.Policy.Budget))
		if e.Event == adapter.AdmissionAcquired && c.HoldSlots && !c.holds {
			c.holds = true
			c.Holding()
		}
	}
	return nil
}

// when is the instant of an event on the run's clock. A client cannot have seen
// an operation before it was asked for, nor what its line has not told yet, and
// its time does not run backwards. Within the skew it is set right.
func (s *session) when(c *flight, e *adapter.Event, arrived int64) (int64, error) {
	if s.hello.Clock == adapter.ClockNone {
		c.lastNs = max(arrived, c.lastNs)
		return c.lastNs, nil
	}
	from, since := c.sentNs, "the bench asked for the operation"
	if c.lastNs > from {
		from, since = c.lastNs, "the event before it"
	}
	switch {
	case e.TNs < from-skew:
		return 0, violationf(notBefore(from-e.TNs), "the t_ns of %s of %s %s before %s", e.Event, c.Op, time.Duration(from-e.TNs), since)
	case e.TNs > arrived+skew:
		return 0, violationf("nanoseconds of CLOCK_MONOTONIC, which is no clock of the day, of something that has happened", "the t_ns of %s of %s %s after its line was read", e.Event, c.Op, time.Duration(e.TNs-arrived))
	}
	c.lastNs = max(from, min(e.TNs, arrived))
	return c.lastNs, nil
}

func bodyShown(body string) string {
	if body == "" {
		return "no body"
	}
	return "a body that ends with " + excerpt([]byte(body))
}

// finished ends a call as its client says.
func (s *session) finished(c *flight, e *adapter.Event) {
	c.mu.Lock()
	ending := variants.Ending{At: s.clk.At(c.lastNs), Outcome: eventlog.Outcome(e.Outcome), Last: eventlog.Outcome(e.Last),
		Status: e.Status, Bytes: e.Bytes, ErrorType: e.ErrorType, Error: e.Error}
	lenient := c.lenient
	c.mu.Unlock()
	switch {
	case ending.Outcome == eventlog.ClientError:
		ending.Broken = fmt.Sprintf("client %s says of itself that it broke: %s", s.name, excerpt([]byte(e.ErrorType+": "+e.Error)))
	case ending.Outcome == eventlog.Success && !c.HoldSlots && !strings.Contains(e.Body, c.Marker):
		ending.Outcome = eventlog.InvalidData
		ending.Error = fmt.Sprintf("found %s, expected the operation's marker %s in it", bodyShown(e.Body), c.Marker)
	}
	s.retire(c, lenient)
	c.finish(ending)
}

// release gives the slots of a holder back, at that instant. A client without
// the host's clock is told when it is there.
func (s *session) release(c *flight, at time.Time) {
	ask := adapter.Ask{Type: adapter.TypeRelease, Op: c.Op}
	switch wait := time.Until(at); {
	case at.IsZero() || wait <= 0:
		s.send(ask)
	case s.hello.Clock == adapter.ClockNone:
		time.AfterFunc(wait, func() { s.send(ask) })
	default:
		ask.AtNs = s.clk.Ns(at)
		s.send(ask)
	}
}

// notBefore is what was expected of a time that is so many nanoseconds too
// early. Minutes are another clock or another unit, not a slip.
func notBefore(ns int64) string {
	if ns >= time.Minute.Nanoseconds() {
		return "nanoseconds of CLOCK_MONOTONIC, which counts from the start of the machine and not of the program: time.monotonic_ns() of Python, process.hrtime.bigint() of Node"
	}
	return "times that are true and do not run backwards"
}
