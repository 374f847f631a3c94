package timeline

import (
	"maps"
	"slices"
	"strconv"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// peakWithin is the width of the window in which arrivals make a peak.
const peakWithin = 10e6 // ns

// countGroups computes what callers of one client do together to the upstream.
func (s *Series) countGroups(r *Run, all, ops []*Operation) {
	groups := r.wholeGroups(all, ops)
	if len(groups) == 0 {
		return
	}
	callers, requests, peak, retries := 0, 0, 0, 0
	var least, longest []float64
	s.GroupRequests = map[string]int{}
	for _, g := range groups {
		callers, requests = callers+g.callers, requests+len(g.all)
		s.GroupRequests[strconv.Itoa(len(g.all))]++
		peak, retries = max(peak, most(g.all)), max(retries, most(g.retries))
		least, longest = append(least, slices.Min(g.ms)), append(longest, slices.Max(g.ms))
	}
	s.CallersMs = &CallersMs{Least: centi(middle(least)), Most: centi(middle(longest))}
	s.Amplification = new(centi(float64(requests) / float64(callers)))
	s.PeakArrivals = &peak
	if s.tells("attempts") {
		s.PeakRetryArrivals = &retries
	}
}

// wholeGroups are the groups of which every caller is in the series: without
// one of them their counts would be too small.
func (r *Run) wholeGroups(all, ops []*Operation) map[string]*arrivals {
	groups := map[string]*arrivals{}
	for _, op := range ops {
		if op.Group == "" {
			continue
		}
		if groups[op.Group] == nil {
			groups[op.Group] = &arrivals{}
		}
		groups[op.Group].add(r.builderOf(op))
	}
	callers := map[string]int{}
	for _, op := range all {
		callers[op.Group]++
	}
	maps.DeleteFunc(groups, func(name string, g *arrivals) bool { return g.callers < callers[name] })
	return groups
}

func (r *Run) builderOf(op *Operation) *builder { return r.builders[r.index[op.Op]] }

// arrivals are when the requests of one group reached the server.
type arrivals struct {
	callers int // in the series
	all     []int64
	retries []int64   // those of an attempt after the first
	ms      []float64 // how long each caller waited
}

func (a *arrivals) add(d *builder) {
	a.callers++
	a.ms = append(a.ms, d.op.JudgedMs())
	for i := range d.exchanges {
		x := &d.exchanges[i]
		if !x.started {
			continue
		}
		a.all = append(a.all, x.start)
		if x.assigned != nobodyAttempt && d.attempts[x.assigned].N > 1 {
			a.retries = append(a.retries, x.start)
		}
	}
}

// middle is the median of a list that is not empty.
func middle(list []float64) float64 {
	slices.Sort(list)
	median, _ := Median(list)
	return median
}

// most is the largest number of instants within any peakWithin.
func most(instants []int64) int {
	slices.Sort(instants)
	peak, first := 0, 0
	for i, t := range instants {
		for t-instants[first] >= peakWithin {
			first++
		}
		peak = max(peak, i-first+1)
	}
	return peak
}

// countCommits compares effects with what callers were told. A series without
// any counts as soon as another one of its scenario has some.
func (s *Series) countCommits(r *Run, ops []*Operation) {
	if !slices.ContainsFunc(r.Operations, func(op *Operation) bool { return op.Scenario == s.Scenario && op.Commits > 0 }) {
		return
	}
	s.Commits, s.CommitsOfOperation = &Commits{}, map[string]int{}
	for _, op := range ops {
		s.Commits.OnServer += op.Commits
		s.Commits.ReportedSuccess += one(op.Outcome == eventlog.Success)
		s.Commits.ReportedFailureButCommitted += one(op.Outcome != eventlog.Success && op.Commits > 0)
		s.Commits.Duplicates += max(0, op.Commits-1)
		s.CommitsOfOperation[strconv.Itoa(op.Commits)]++
	}
}

// readLeaks finds what the clients of each cell still held, and how its probe went.
// Of a probe that ended after its server's log nobody knows what it met.
func (r *Run) readLeaks() {
	cut := r.cutLogs()
	r.leaks = map[seriesKey]*Leaks{}
	for i := range r.from[client].Len() {
		if r.from[client].Kind(i) != eventlog.LeaksCounted {
			continue
		}
		e := r.from[client].At(i)
		if e.Leaks == nil {
			continue
		}
		k := e.Leaks
		leaks := &Leaks{Goroutines: k.Goroutines, Connections: k.Connections, Dials: k.Dials, Slots: k.Slots,
			Handlers: k.Handlers, ServerConnections: k.ServerConnections}
		end, short := cut[k.Scenario]
		if probe := r.builder(k.Probe); probe != nil && probe.op.Finished && !(short && probe.end+r.in.BoundNs > end) {
			leaks.Probe, leaks.ProbeMs = probe.op.Outcome, new(centi(probe.op.DurationMs))
		}
		r.leaks[seriesKey{k.Scenario, k.Variant}] = leaks
	}
}
