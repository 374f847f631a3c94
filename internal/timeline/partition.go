package timeline

import (
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// part is one share of an operation's time, in the order of Where.
type part int

const (
	inAdmission part = iota
	inConnectionWait
	inDNS
	inConnect
	inTLS
	inServer
	inBody
	inBackoff
	inCleanup
	inUnreported
	parts
	inAttempt = parts // inside an attempt, before anything finer is known
)

// partition walks along one operation's events and books the time between two
// of them to the innermost phase that is open there.
type partition struct {
	ns      [parts + 1]int64
	at      int64
	in      part
	attempt int
	traced  bool // the client tells when it has a connection
	dialing [3]int
}

func (p *partition) start(t0 int64) { p.at, p.in = t0, inCleanup }

// advance books the time up to t. A time that goes back takes no time.
func (p *partition) advance(t int64) {
	if t > p.at {
		p.ns[p.in] += t - p.at
		p.at = t
	}
}

// step follows one event that happened at t.
func (p *partition) step(e *eventlog.Event, t int64) {
	p.advance(t)
	if e.Attempt != 0 && p.attempt != 0 && e.Attempt != p.attempt && e.Kind != eventlog.AttemptStarted && ofAttempt[e.Kind] {
		return // a dial that outlived its attempt holds nobody up
	}
	if next, simple := nextPart[e.Kind]; simple {
		p.in = next
	}
	switch e.Kind {
	case eventlog.AttemptStarted:
		p.attempt, p.dialing = e.Attempt, [3]int{}
	case eventlog.ConnectionWaitStarted, eventlog.ConnectionAcquired:
		p.traced = true
	}
	if d, ok := dialSteps[e.Kind]; ok {
		p.dial(d)
	}
}

var nextPart = map[eventlog.Kind]part{
	eventlog.AdmissionWaitStarted: inAdmission, eventlog.AdmissionAcquired: inCleanup,
	eventlog.AttemptStarted: inAttempt, eventlog.ConnectionWaitStarted: inConnectionWait,
	eventlog.ConnectionAcquired: inServer, eventlog.HeadersReceived: inBody, eventlog.BodyFinished: inCleanup,
	eventlog.AttemptFinished: inCleanup, eventlog.AttemptTimedOut: inCleanup,
	eventlog.AttemptCancelled: inCleanup, eventlog.AttemptFailed: inCleanup,
	eventlog.BackoffStarted: inBackoff, eventlog.BackoffFinished: inCleanup,
}

type dialStep struct{ which, by int }

var dialSteps = map[eventlog.Kind]dialStep{
	eventlog.DNSStarted: {0, 1}, eventlog.DNSFinished: {0, -1},
	eventlog.ConnectStarted: {1, 1}, eventlog.ConnectFinished: {1, -1},
	eventlog.TLSStarted: {2, 1}, eventlog.TLSFinished: {2, -1},
}

var ofAttempt = map[eventlog.Kind]bool{
	eventlog.ConnectionWaitStarted: true, eventlog.ConnectionAcquired: true, eventlog.HeadersReceived: true,
	eventlog.BodyFinished: true, eventlog.DNSStarted: true, eventlog.DNSFinished: true, eventlog.ConnectStarted: true,
	eventlog.ConnectFinished: true, eventlog.TLSStarted: true, eventlog.TLSFinished: true,
	eventlog.AttemptFinished: true, eventlog.AttemptTimedOut: true, eventlog.AttemptCancelled: true, eventlog.AttemptFailed: true,
}

// dial counts what is open of a dial: two addresses may be tried at once. It
// matters only while the attempt waits for a connection.
func (p *partition) dial(d dialStep) {
	p.dialing[d.which] = max(0, p.dialing[d.which]+d.by)
	if p.in < inConnectionWait || p.in > inTLS {
		return
	}
	p.in = inConnectionWait
	for i, open := range p.dialing {
		if open > 0 {
			p.in = inDNS + part(i)
		}
	}
}

// where rounds the parts to microseconds so that they add up to the rounded
// whole. Without connection events the whole attempt counts as the server's.
func (p *partition) where() Where {
	rest := inServer
	if p.traced {
		rest = inCleanup
	}
	p.ns[rest] += p.ns[inAttempt]
	p.ns[inAttempt] = 0
	total := int64(0)
	for _, ns := range p.ns {
		total += ns
	}
	return newWhere(apportion(p.ns[:parts], micros(total), 1000), 1000)
}

// apportion gives every part its whole units and the units that are missing to
// the largest remainders, the earlier part first.
func apportion(ns []int64, units, unit int64) []int64 {
	shares := make([]int64, len(ns))
	order := make([]int, len(ns))
	for i, n := range ns {
		shares[i], order[i] = n/unit, i
		units -= n / unit
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(ns[b]%unit - ns[a]%unit) })
	for _, i := range order {
		if units <= 0 {
			break
		}
		shares[i]++
		units--
	}
	return shares
}

func newWhere(shares []int64, perMs float64) Where {
	ms := func(p part) float64 { return float64(shares[p]) / perMs }
	return Where{ms(inAdmission), ms(inConnectionWait), ms(inDNS), ms(inConnect), ms(inTLS), ms(inServer), ms(inBody), ms(inBackoff), ms(inCleanup), ms(inUnreported)}
}

// Parts lists the parts in their fixed order.
func (w Where) Parts() []float64 {
	return []float64{w.Admission, w.ConnectionWait, w.DNS, w.Connect, w.TLS, w.Server, w.Body, w.Backoff, w.Cleanup, w.Unreported}
}

// micros is the sum of the parts in microseconds.
func (w Where) micros() (sum int64) {
	for _, ms := range w.Parts() {
		sum += wholeMicros(ms)
	}
	return sum
}

// rounded is w with two decimals; the parts still add up to the rounded sum.
func (w Where) rounded() *Where {
	us := make([]int64, 0, parts)
	for _, ms := range w.Parts() {
		us = append(us, wholeMicros(ms))
	}
	r := newWhere(apportion(us, (w.micros()+5)/10, 10), 100)
	return &r
}
