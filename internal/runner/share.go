package runner

import (
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// share is what a client in a process of its own may have in flight: places of
// its own, or, where each call is a process that has to be started, a part of
// what this machine bears, which all such clients have together.
type share struct {
	of     string // whose places they are: the client's name, or startedAnew
	places int
	calls  int // of this client, at most
	each   int // places that one of its calls takes
}

const (
	startedAnew = ""  // no client has this name
	wholeHost   = 840 // can be divided by all numbers up to 8
)

// sharesOf are the shares of the plan's clients by their names. A variant of the
// bench has none.
func sharesOf(p *Plan) map[string]share {
	shares := map[string]share{}
	for _, v := range p.external {
		calls := max(1, v.External.AtOnce)
		shares[v.Name] = share{of: v.Name, places: calls, calls: calls, each: 1}
		if v.External.Kind == eventlog.ExecClient {
			shares[v.Name] = share{of: startedAnew, places: wholeHost, calls: calls, each: max(1, wholeHost/calls)}
		}
	}
	return shares
}

// placesOf are the places of all shares, by whose they are.
func placesOf(shares map[string]share) map[string]chan struct{} {
	places := map[string]chan struct{}{}
	for _, s := range shares {
		if places[s.of] == nil {
			places[s.of] = make(chan struct{}, s.places)
		}
	}
	return places
}

// takes is how many places an item of the scenario takes: those of the calls
// that it has in flight, its callers' and that which holds something or goes
// first. An item that has more than there are has the client for itself.
func (h share) takes(s *scenario.Scenario) int {
	calls := s.CallersOf()
	if a := s.Fault.Arrangement(); a.HoldSlot > 0 && s.Slots > 0 || a.HoldConnection > 0 || a.LeadUntil != "" {
		calls++
	}
	return h.each * min(calls, h.calls)
}
