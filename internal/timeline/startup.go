package timeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// startup is what it costs to start a client that is a process per operation,
// in ms, over its valid operations of phase startup.
type startup struct {
	ascending     []float64
	median, p95   float64
	least, ending float64   // the shortest; the median time from the end of its answer to its own
	endings       []float64 // these times
	queued        []float64 // how long each of these processes waited for a processor
}

// noStartup is why an operation of such a client is not judged.
const noStartup = "no start-up of the client was measured: what its process costs is unknown"

// netOfStartup judges the operations of clients that are a process per
// operation as if the process had been there already.
func (r *Run) netOfStartup() {
	r.readStartups()
	r.queuedProcesses()
	for _, d := range r.builders {
		if d.op == nil || d.op.Client != eventlog.ExecClient || d.op.Phase == eventlog.Startup || !d.op.Finished {
			continue
		}
		if s, known := r.startups[d.op.Variant]; known {
			d.net(s, r.marginOf(d.op.Variant), r.MarginMs, r.in.BoundNs)
		} else if d.op.Valid && d.op.Outcome != eventlog.CapReached { // that one is unbounded, whatever its start cost
			d.op.Valid = false
			d.op.Reasons = append(d.op.Reasons, noStartup)
		}
	}
}

func (r *Run) readStartups() {
	r.startups, r.unstarted = map[string]startup{}, map[string]string{}
	for _, d := range r.builders {
		if why := d.failedStartup(); why != "" {
			r.unstarted[d.op.Variant] = cmp.Or(r.unstarted[d.op.Variant], why)
		}
		if ms, ok := d.startup(); ok {
			d.op.StartupMs = &ms
			s := r.startups[d.op.Variant]
			s.ascending, s.queued = append(s.ascending, ms), append(s.queued, d.queuedMs)
			s.endings = append(s.endings, millis(d.end-d.exchanges[0].bodied))
			r.startups[d.op.Variant] = s
		}
	}
	for variant, s := range r.startups {
		slices.Sort(s.ascending)
		median, _ := Median(s.ascending)
		s.median = milli(median)
		s.p95, _ = NearestRank(s.ascending, 95)
		slices.Sort(s.endings)
		ending, _ := Median(s.endings)
		s.least, s.ending = s.ascending[0], milli(max(0, ending))
		r.startups[variant] = s
	}
}

// failedStartup is how a start-up that was no success ended, on one line; empty
// for every other operation.
func (d *builder) failedStartup() string {
	if d.op == nil || d.op.Phase != eventlog.Startup || !d.op.Finished || d.op.Outcome == eventlog.Success {
		return ""
	}
	return cmp.Or(strings.Join(strings.Fields(d.op.Error), " "), string(d.op.Outcome))
}

// startup is the duration less what the server had to do with it: from its only
// request to the end of the body.
func (d *builder) startup() (ms float64, ok bool) {
	if d.op == nil || d.op.Phase != eventlog.Startup || d.op.Client != eventlog.ExecClient {
		return 0, false
	}
	if !d.op.Finished || !d.op.Valid || d.op.Outcome != eventlog.Success || len(d.exchanges) != 1 {
		return 0, false
	}
	x := &d.exchanges[0]
	if !x.started || x.bodied == farthest {
		return 0, false
	}
	return millis(d.end - d.t0 - (x.bodied - x.start)), true
}

// marginOf widens the margin by how much start-ups vary.
func (r *Run) marginOf(variant string) float64 {
	s, known := r.startups[variant]
	if !known {
		return r.MarginMs
	}
	return r.MarginMs + max(0, s.p95-s.median)
}

// net judges an operation less its start-up. Late is what no start-up of the run
// makes up for, marginMs with how much they vary; noiseMs is the margin without.
func (d *builder) net(s startup, marginMs, noiseMs float64, bound int64) {
	t := d.leastStartup(s, bound)
	d.op.StartupMs, d.op.StartupCut, d.op.NetMs = new(t.ms), t.cut, new(milli(d.op.DurationMs-t.ms))
	d.op.judge(d.end-d.deadline-nanoseconds(t.ms), marginMs+t.doubt)
	d.op.Undecided = d.op.unsure(t, noiseMs)
}

// Unsure tells whether nobody can say that it was in time: its start-up, or the
// end of its process, decides. One that is net of a start-up and ended later than
// any other client may is not known to be in time, however much start-ups vary.
func (op *Operation) Unsure() bool {
	return op.NetMs != nil && !op.Late && op.Outcome != eventlog.CapReached && (op.Undecided || op.Overshoot > Lenient(op.BudgetMs))
}

// JudgedMs is the duration that counts: net of a start-up where there is one.
func (op *Operation) JudgedMs() float64 {
	if op.NetMs != nil {
		return *op.NetMs
	}
	return op.DurationMs
}

// JudgedMs are the durations that count: net of a start-up where there is one.
func (s *Series) JudgedMs() *Durations {
	if s.NetDurationMs != nil {
		return s.NetDurationMs
	}
	return s.DurationMs
}

// NetOf says what the figures of an operation are net of: every report of such a
// client does.
func NetOf(startupMs float64) string { return netOf(fmt.Sprintf("%.1f", startupMs)) }

// netOfUpTo says it of a series: some of its operations left less time for it.
func netOfUpTo(startupMs float64) string { return netOf(fmt.Sprintf("up to %.1f", startupMs)) }

func netOf(ms string) string {
	return "net of a start-up of " + ms + " ms (measured with the same command under healthy)"
}
