package timeline

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// A log with more gaps than this is named once more, with their number.
const gapsShown = 20

// checkSequences finds what is missing: within a log by its sequence numbers
// and events_lost, at its end by the tally.
func (r *Run) checkSequences() {
	for _, s := range r.client {
		r.checkSequence(sides[client], s, r.from[client])
	}
	for _, s := range r.server {
		r.checkSequence(sides[server], s, r.from[server])
	}
	r.checkTallies()
}

func (r *Run) checkSequence(side string, s stream, events Events) {
	next, lastT, gaps := uint64(1), int64(0), 0
	for i, at := range s.order {
		seq, tNs := events.Place(int(at))
		kind := events.Kind(int(at))
		if seq != next {
			if gaps++; gaps <= gapsShown {
				r.gap(side, s, fmt.Sprintf("seq %d (%s)", seq, kind), fmt.Sprintf("seq %d", next))
			}
		}
		if kind == eventlog.EventsLost {
			r.gap(side, s, fmt.Sprintf("events_lost at seq %d, count %d", seq, events.At(int(at)).Count), "no event lost")
		}
		if kind == eventlog.ServerFailed {
			r.problem(Problem{events.Op(int(at)), ServerHolds, "a panic: " + events.At(int(at)).Error, "none"})
		}
		if i > 0 && tNs < lastT {
			r.problem(Problem{events.Op(int(at)), TimeRuns, fmt.Sprintf("%s: seq %d is %d ns before the event ahead of it", place(side, s.exp), seq, lastT-tNs), "t_ns never goes back"})
		}
		next, lastT = seq+1, tNs
	}
	if gaps > gapsShown {
		r.gap(side, s, fmt.Sprintf("%d gaps in all", gaps), "no gap")
	}
}

// gap makes the run invalid, and with it every operation of the log's scenario.
func (r *Run) gap(side string, s stream, found, expected string) {
	r.Valid = false
	r.problem(Problem{"", Sequence, place(side, s.exp) + ": " + found, expected})
	if side == sides[client] {
		r.broken[""] = true
		return
	}
	r.broken[r.scenarioOf(s)] = true
}

// scenarioOf names the scenario of a server log, "" if nothing in it tells.
func (r *Run) scenarioOf(s stream) string {
	for _, at := range s.order {
		e := r.from[server].At(int(at))
		if e.Header != nil && e.Header.Scenario != "" {
			return e.Header.Scenario
		}
		if i, known := r.index[e.Op]; known && e.Op != "" {
			if start := r.builders[i].scenario(r.from[client], r.byOp[client].of(int(i))); start != "" {
				return start
			}
		}
	}
	return ""
}

func (r *Run) checkTallies() {
	for _, t := range r.in.Tallies {
		s := r.logOf(t)
		last := uint64(0)
		if n := len(s.order); n > 0 {
			last, _ = r.eventsOf(t.Side).Place(int(s.order[n-1]))
		}
		if last != t.LastSeq {
			r.gap(t.Side, s, fmt.Sprintf("ends at seq %d", last), fmt.Sprintf("seq %d, the last one written", t.LastSeq))
		}
		if t.Lost > 0 {
			r.gap(t.Side, s, fmt.Sprintf("%d events lost by its recorder", t.Lost), "no event lost")
		}
	}
}

func (r *Run) logOf(t Tally) stream {
	streams := r.server
	if t.Side == sides[client] {
		streams = r.client
	}
	for _, s := range streams {
		if t.Side == sides[client] || s.exp == t.Experiment {
			return s
		}
	}
	return stream{exp: t.Experiment}
}

func (r *Run) eventsOf(side string) Events {
	if side == sides[client] {
		return r.from[client]
	}
	return r.from[server]
}

func place(side, exp string) string {
	if exp == "" {
		return side + " log"
	}
	return side + " log of experiment " + exp
}
