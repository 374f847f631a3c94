package scenario

import (
	"slices"
	"strings"
)

// CoreRung is what the scenarios at the top of the folder carry: the study's,
// each of which is about one of the stall points all the same.
const CoreRung = "core"

// Rung is a stall point in a request's life.
type Rung struct {
	Name  string
	About string   // what waits there
	core  []string // scenarios of the core that are about it
}

// rungs are the stall points in the order of a request's life, from the queue
// before its first attempt to what it leaves behind; the last ones concern the
// call as a whole. A folder of scenarios is named after its rung.
var rungs = []Rung{
	{"healthy", "nothing: the upstream answers at once", []string{"healthy"}},
	{"admission", "the queue for a slot of the client's own", []string{"semaphore_wait", "backoff_holds_slot"}},
	{"pool", "the queue for a connection of the client's own", []string{"pool_wait"}},
	{"dns", "the answer of a name server", nil},
	{"proxy", "what stands between client and upstream", nil},
	{"connect", "the connection to an address", nil},
	{"tls", "the handshake", nil},
	{"http2", "a stream of a connection that is shared", nil},
	{"upload", "the upstream's reading of the request", nil},
	{"headers", "the head of the answer", []string{"slow_headers", "hang"}},
	{"redirects", "the answer's other addresses", nil},
	{"retries", "the pauses between attempts, and the attempts' sum", []string{"transient_error", "persistent_error"}},
	{"body", "the body of the answer, up to its last byte", []string{"slow_body"}},
	{"keep_alive", "a connection that was used before", nil},
	{"cancel", "the end of a call that its caller has given up", []string{"cancel_in_http", "cancel_in_backoff"}},
	{"budgets", "several calls that share a caller's time", nil},
	{"effects", "what the upstream has done when the caller is told", nil},
	{"studies", "whole calls, as two published studies made them", nil},
}

// FindRung is the rung of that name; one that is not known has no words.
func FindRung(name string) Rung {
	if i := rungPlace(name); i < len(rungs) {
		return rungs[i]
	}
	return Rung{Name: name}
}

// StallPoint names the rung that the scenario belongs to: its own, and for one
// of the core that which it is about. Empty for a file that names none.
func (s *Scenario) StallPoint() string {
	if s.Rung != CoreRung {
		return s.Rung
	}
	for _, r := range rungs {
		if slices.Contains(r.core, s.Name) {
			return r.Name
		}
	}
	return s.Rung
}

// CompareRungs orders names of rungs: those that are known by a request's
// life, then others by name, then none at all.
func CompareRungs(a, b string) int {
	if pa, pb := rungPlace(a), rungPlace(b); pa != pb {
		return pa - pb
	}
	return strings.Compare(a, b)
}

func rungPlace(name string) int {
	if name == "" {
		return len(rungs) + 1
	}
	if i := slices.IndexFunc(rungs, func(r Rung) bool { return r.Name == name }); i >= 0 {
		return i
	}
	return len(rungs)
}

// Ladder reads every embedded scenario, in the order of their rungs.
func Ladder() []*Scenario {
	all := All()
	slices.SortStableFunc(all, func(a, b *Scenario) int { return CompareRungs(a.StallPoint(), b.StallPoint()) })
	return all
}
