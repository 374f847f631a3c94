package timeline

import (
	"cmp"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Input is everything a run's figures are rebuilt from. The order of the events
// does not matter: each log is put into the order of its own sequence numbers.
type Input struct {
	Client []eventlog.Event // one log, one sequence
	Server []eventlog.Event // several experiments, each with its own sequence

	ClientLog Events // instead of Client
	ServerLog Events // instead of Server

	OffsetNs int64 // added to a server time, puts it on the client's clock; 0 on one host
	BoundNs  int64 // half width of what is unknown about OffsetNs; a gap between the sides narrower than it is unknown

	Planned []Cell  // what the run set out to measure, in report order
	Tallies []Tally // optional: what each log must hold to be whole
	Cut     bool    // the run did not get to its end: operations may lack theirs, and logs without a tally just stop
}

// Cell is one planned series.
type Cell struct {
	Scenario string
	Variant  string
	Label    string
	Planned  int // measured operations; 0 = as many as are found
	BudgetMs float64

	Client        string // exec or adapter; empty for a variant of the bench
	NotApplicable string // why the client cannot be measured in the scenario; such a cell has no operations
}

// Tally is what the writer of a log says that it must hold.
type Tally struct {
	Side       string // client or server
	Experiment string // empty for the client
	LastSeq    uint64 // the last sequence number that was given out
	Lost       int64  // events that were dropped: the log is not whole
}

// Run is a merged run.
type Run struct {
	Operations []*Operation // every phase, in the order of their starts
	Problems   []Problem    // what breaks a requirement, run-wide ones first
	Valid      bool         // no event of either side is missing
	MarginMs   float64      // an operation is late when it ends more than this after its deadline
	NoiseMs    []float64    // lateness of every deadline the client's noise sampler set, ascending
	Planned    []Cell

	in       Input
	from     [2]Events // client, server
	client   []stream
	server   []stream
	builders []*builder // one per operation id, in the order of first appearance
	index    map[string]int32
	byOp     [2]grouping // client, server
	samples  []sample

	clientEnd int64              // when the client's log ends
	broken    map[string]bool    // scenarios with a broken server log; "" = all
	reports   map[string]bool    // variants that report attempts at all
	startups  map[string]startup // by variant
	unstarted map[string]string  // by variant: how its first start-up without success ended
	leaks     map[seriesKey]*Leaks
	refused   map[string]*refused // by scenario
}

// Merge puts both sides on one clock and builds the operations. It reads its
// input without changing it and never fails: what is wrong with a history comes
// back as Problems, and the operations concerned are not valid.
func Merge(in Input) *Run {
	r := &Run{in: in, Planned: in.Planned, Valid: true, broken: map[string]bool{}, reports: map[string]bool{}}
	r.from = [2]Events{events(in.Client, in.ClientLog), events(in.Server, in.ServerLog)}
	r.client, r.server = split(r.from[client], false), split(r.from[server], true)
	r.readNoise()
	r.assignEvents()
	r.checkSequences()
	r.countRefused()
	r.buildOperations()
	r.readLeaks()
	r.hideUnreported()
	r.contradictClients()
	r.checkInvariants()
	r.judgeValidity()
	r.netOfStartup()
	r.judgeDisturbed()
	return r
}

// Operation finds an operation by its id, nil if the client's log has none.
func (r *Run) Operation(id string) *Operation {
	if d := r.builder(id); d != nil {
		return d.op
	}
	return nil
}

// builder finds the builder of an operation of the client's log, nil if there is none.
func (r *Run) builder(id string) *builder {
	i, known := r.index[id]
	if !known || r.builders[i].op == nil {
		return nil
	}
	return r.builders[i]
}

// Related lists the helper and probe operations that serve an operation.
func (r *Run) Related(id string) []*Operation {
	var related []*Operation
	for _, op := range r.Operations {
		if op.For == id && id != "" {
			related = append(related, op)
		}
	}
	return related
}

func (r *Run) buildOperations() {
	for i, d := range r.builders {
		d.readClient(r.from[client], r.byOp[client].of(i))
		if d.op == nil {
			continue
		}
		d.readServer(r.from[server], r.byOp[server].of(i), r.in.OffsetNs)
		if len(d.attempts) > 0 || d.op.Client == eventlog.AdapterClient && !d.blind { // an adapter says in its hello whether it does
			r.reports[d.op.Variant] = true
		}
		d.assignExchanges(r.in.BoundNs)
		d.finalize(r.MarginMs, r.in.BoundNs)
		d.op.ServerBound = millis(r.in.BoundNs)
		if d.op.Finished {
			d.op.StallMs = milli(max(r.stall(d.t0, d.end), d.timersMs))
		}
		r.Operations = append(r.Operations, d.op)
	}
	slices.SortStableFunc(r.Operations, func(a, b *Operation) int { return cmp.Compare(a.T0Ns, b.T0Ns) })
}
