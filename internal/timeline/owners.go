package timeline

import (
	"cmp"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

const nobody = int32(-1)

// grouping holds the positions of one side's events by operation, each in
// sequence order, without a slice of its own for every operation.
type grouping struct {
	flat  []int32
	start []int32 // of operation i in flat; one more at the end
}

func (g *grouping) of(op int) []int32 {
	if op+1 >= len(g.start) {
		return nil
	}
	return g.flat[g.start[op]:g.start[op+1]]
}

// group is a counting sort of a side's events by their owner.
func group(streams []stream, owner []int32, ops int) grouping {
	g := grouping{start: make([]int32, ops+1)}
	for _, o := range owner {
		if o != nobody {
			g.start[o+1]++
		}
	}
	for i := range ops {
		g.start[i+1] += g.start[i]
	}
	g.flat = make([]int32, g.start[ops])
	next := slices.Clone(g.start)
	for _, s := range streams {
		for _, at := range s.order {
			if o := owner[at]; o != nobody {
				g.flat[next[o]] = at
				next[o]++
			}
		}
	}
	return g
}

// assignEvents gives every event its operation: by its id, or, for what happens
// to a connection, by the exchange that used it.
func (r *Run) assignEvents() {
	r.index = map[string]int32{}
	r.clientEnd = lastInstant(r.from[client], 0)
	clientOwner := r.ownersByID(r.client, r.from[client], true)
	serverOwner := r.ownersByID(r.server, r.from[server], false)
	r.ownersByConnection(clientOwner, serverOwner)
	r.byOp[client] = group(r.client, clientOwner, len(r.builders))
	r.byOp[server] = group(r.server, serverOwner, len(r.builders))
}

func (r *Run) ownersByID(streams []stream, events Events, add bool) []int32 {
	owner := make([]int32, events.Len())
	strange := map[string]bool{}
	for _, s := range streams {
		last, lastID := nobody, ""
		for _, at := range s.order {
			id := events.Op(int(at))
			if id != lastID {
				last, lastID = r.ownerOf(id, add), id
			}
			owner[at] = last
			if last == nobody && id != "" && !strange[id] && !isRefused(events, int(at)) && !r.aheadOfClient(events, int(at)) {
				strange[id] = true
				r.problem(Problem{id, KnownOperation, "server events, no client event", "an operation of the client's log"})
			}
		}
	}
	return owner
}

// aheadOfClient tells whether the client's log of a run that was cut off ends
// before a server's event: its operation's start did not get into it.
func (r *Run) aheadOfClient(events Events, at int) bool {
	_, tNs := events.Place(at)
	return r.in.Cut && instant(tNs)+r.in.OffsetNs+r.in.BoundNs >= r.clientEnd
}

func (r *Run) ownerOf(id string, add bool) int32 {
	if id == "" {
		return nobody
	}
	i, known := r.index[id]
	if known {
		return i
	}
	if !add {
		return nobody
	}
	i = int32(len(r.builders))
	r.index[id] = i
	r.builders = append(r.builders, &builder{id: id})
	return i
}

// use is one operation on one connection from t on.
type use struct {
	t  int64
	op int32
}

type connection struct{ exp, addr string }

// ownersByConnection: what opens a connection belongs to the first operation
// that used it afterwards, what ends it to the last one before. The address and
// port may serve several connections of a run, one after another.
func (r *Run) ownersByConnection(clientOwner, serverOwner []int32) {
	exchanges, acquired, accepted := r.exchangeUses(serverOwner), r.acquiredUses(clientOwner), r.acceptedUses(serverOwner)
	for _, s := range r.server {
		for _, at := range s.order {
			if serverOwner[at] != nobody {
				continue
			}
			e := r.from[server].At(int(at))
			if e.Conn == "" || e.Kind == eventlog.Unscripted && e.Op != "" {
				continue // a request that names another operation says nothing about this one
			}
			t := instant(e.TNs) + r.in.OffsetNs
			serverOwner[at] = pick(exchanges[connection{e.Exp, e.Conn}], t, e.Kind)
			if serverOwner[at] == nobody {
				serverOwner[at] = pick(acquired[connection{"", e.Conn}], t, e.Kind)
			}
			if serverOwner[at] == nobody {
				serverOwner[at] = pick(accepted[connection{e.Exp, e.Conn}], t, e.Kind)
			}
		}
	}
}

func (r *Run) exchangeUses(owner []int32) map[connection][]use {
	return usesOf(r.from[server], eventlog.ServerRequestStarted, owner, r.in.OffsetNs, true)
}

// acceptedUses are the connections that arrived where one operation alone is
// served.
func (r *Run) acceptedUses(owner []int32) map[connection][]use {
	return usesOf(r.from[server], eventlog.ConnectionAccepted, owner, r.in.OffsetNs, true)
}

func (r *Run) acquiredUses(owner []int32) map[connection][]use {
	return usesOf(r.from[client], eventlog.ConnectionAcquired, owner, 0, false)
}

// usesOf collects what events of that kind say about their connections.
func usesOf(events Events, kind eventlog.Kind, owner []int32, offset int64, byExperiment bool) map[connection][]use {
	uses := map[connection][]use{}
	for i := range owner {
		if owner[i] == nobody || events.Kind(i) != kind {
			continue
		}
		e := events.At(i)
		if e.Conn != "" {
			c := connection{"", e.Conn}
			if byExperiment {
				c.exp = e.Exp
			}
			uses[c] = append(uses[c], use{instant(e.TNs) + offset, owner[i]})
		}
	}
	return inOrder(uses)
}

func inOrder(uses map[connection][]use) map[connection][]use {
	for _, list := range uses {
		slices.SortFunc(list, func(a, b use) int { return cmp.Or(cmp.Compare(a.t, b.t), cmp.Compare(a.op, b.op)) })
	}
	return uses
}

func pick(uses []use, t int64, kind eventlog.Kind) int32 {
	after, _ := slices.BinarySearchFunc(uses, t, func(u use, t int64) int { return cmp.Compare(u.t, t) })
	if kind == eventlog.ConnectionAccepted {
		if after < len(uses) {
			return uses[after].op
		}
		return nobody
	}
	for after < len(uses) && uses[after].t == t {
		after++
	}
	if after > 0 {
		return uses[after-1].op
	}
	return nobody
}
