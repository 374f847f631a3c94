package chart

import (
	"fmt"
	"math"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Exchange is a request at the server, and when its client left it: NaN if it
// stayed for the whole answer.
type Exchange struct {
	timeline.Exchange
	LeftMs float64
}

// Exchanges lists the requests that the server received, in order of arrival.
func Exchanges(o *timeline.Operation) []Exchange {
	var list []Exchange
	for _, a := range o.Attempts {
		left := math.NaN()
		if a.End != eventlog.AttemptFinished {
			left = a.ToMs
		}
		for _, e := range a.Exchanges {
			list = append(list, Exchange{Exchange: e, LeftMs: left})
		}
	}
	for _, e := range o.Exchanges {
		left := math.NaN()
		if e.ClientGoneMs != nil {
			left = *e.ClientGoneMs
		}
		list = append(list, Exchange{Exchange: e, LeftMs: left})
	}
	for _, e := range o.Stray {
		list = append(list, Exchange{Exchange: e, LeftMs: math.NaN()})
	}
	return list
}

// afterMs is how long the server went on after its client had left; infinite
// when its handler is not known to have ended.
func (e Exchange) afterMs() float64 {
	switch {
	case math.IsNaN(e.LeftMs):
		return 0
	case e.HandlerEndMs == nil:
		return math.Inf(1)
	}
	return max(0, *e.HandlerEndMs-e.LeftMs)
}

// noticeableMs is from where work after the client has left is worth showing:
// below it is the time a handler needs to see the connection close.
const noticeableMs = 5

// ExchangeBars cut a request into working, sending the body, and going on for
// nobody.
func ExchangeBars(e Exchange) []Bar {
	end, open := e.End()
	left := end
	if e.afterMs() > noticeableMs {
		left = max(e.LeftMs, e.StartMs)
	}
	headed := left
	if e.HeadersMs != nil {
		headed = min(*e.HeadersMs, left)
	}
	name := fmt.Sprintf("request %d", e.N)
	status := name
	if e.Status != 0 && e.HeadersMs != nil { // prepared is not sent
		status = fmt.Sprintf("%s: %d", name, e.Status)
	}
	bars := []Bar{
		{Kind: Serving, FromMs: e.StartMs, ToMs: headed, Labels: []string{status, name, fmt.Sprint(e.N)}, Beside: []string{status, name}},
		{Kind: Sending, FromMs: headed, ToMs: left, Labels: []string{name + ": sends the body", name, fmt.Sprint(e.N)}, Beside: []string{status, name}},
	}
	bars = nameLongest(nonEmpty(bars))
	if left < end || open {
		bars = append(bars, Bar{Kind: ForNobody, FromMs: left, ToMs: end, Open: open, Labels: []string{"works on for nobody", "for nobody"}, Beside: []string{"for nobody"}})
	}
	return bars
}

// End is the last thing known of a request; open if its handler never ended.
func (e Exchange) End() (ms float64, open bool) {
	if e.HandlerEndMs != nil {
		return *e.HandlerEndMs, false
	}
	last := e.StartMs
	for _, at := range []*float64{e.PreparedMs, e.HeadersMs, e.BodyMs, e.ClientGoneMs} {
		if at != nil {
			last = max(last, *at)
		}
	}
	if !math.IsNaN(e.LeftMs) {
		last = max(last, e.LeftMs)
	}
	return last, true
}
