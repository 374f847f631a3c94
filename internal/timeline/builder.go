package timeline

import (
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// builder is an operation while its events are read, in nanoseconds of the
// client's clock.
type builder struct {
	id            string
	op            *Operation // nil until operation_started
	t0, end       int64      // end: operation_finished, else the last event known
	deadline      int64
	starts, ends  int
	waits, slots  []interval
	attempts      []attempt
	backoffs      []pause
	exchanges     []exchange
	accepted      int64 // its first connection was; farthest = none
	closings      []closing
	parts         partition
	fired, asked  *eventlog.Event // the first deadline_fired, external_cancel_requested
	capped        *eventlog.Event // the first event caused by the hard cap
	observed      int64           // the first cancellation_observed after a stop
	sawObserved   bool
	unscripted    bool
	commits       int     // side effects on the server
	expired       string  // gate that expired
	timersMs      float64 // how late the client's own timers acted, added up
	strayProblems []Problem

	blind     bool    // the client does not report its attempts
	heard     bool    // its times are those at which the bench heard of them
	heardLate int64   // how long after its end the bench heard of it
	begunMs   float64 // how long after it was asked for it began
	queuedMs  float64 // how long its process waited for a processor
}

// closing is the end of one of its connections.
type closing struct {
	conn string
	at   int64
}

type pause struct {
	interval
	after    int
	planned  int64
	sleptOut bool
}

// attempt is an Attempt with the instants that causality needs.
type attempt struct {
	Attempt
	interval
	ends       int
	conns      []string
	wait       *interval
	dns, dial  *interval
	tls        *interval
	headers    int64
	hasHeaders bool
	bodyDone   bool
}

// exchange is an Exchange with the instants that validity needs.
type exchange struct {
	Exchange
	attempt         int // as the event names it, 0 = not named
	start           int64
	started         bool
	armed           bool // waits for its fault_fired
	due             int64
	gone            int64 // the server saw the client leave
	sawGone         bool
	end             int64
	ended           bool
	fires           []fire
	assigned        int // index of its attempt, -1 = stray
	handlerFinished int
	gates           []fire // releases that were due at an instant
	headed, bodied  int64  // its head, its whole body was written; farthest = not
	waited          int64  // until then its script had to wait so far
	sendable        int64  // not earlier could the last bytes of the body leave; -farthest = at any time
}

// fire is one fault that fired; a slow body has one for each chunk.
type fire struct {
	due    int64
	lateMs float64
}

func (d *builder) attempt(n int) *attempt {
	for i := len(d.attempts) - 1; i >= 0; i-- {
		if n == 0 || d.attempts[i].N == n {
			return &d.attempts[i]
		}
	}
	return nil
}

func (d *builder) exchange(n int) *exchange {
	for i := len(d.exchanges) - 1; i >= 0; i-- {
		if d.exchanges[i].N == n {
			return &d.exchanges[i]
		}
	}
	d.exchanges = append(d.exchanges, exchange{Exchange: Exchange{N: n}, headed: farthest, bodied: farthest, waited: -farthest, sendable: -farthest})
	return &d.exchanges[len(d.exchanges)-1]
}

// scenario reads the scenario off operation_started without building anything.
func (d *builder) scenario(events Events, at []int32) string {
	for _, i := range at {
		if s := events.At(int(i)).Start; s != nil {
			return s.Scenario
		}
	}
	return ""
}
