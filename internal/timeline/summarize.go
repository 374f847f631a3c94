package timeline

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Summarize computes one series for each cell, in the cells' order. Without
// cells it takes those the run planned, else those it finds.
func Summarize(r *Run, cells []Cell) []Series {
	if cells == nil {
		cells = r.Planned
	}
	if cells == nil {
		cells = r.found()
	}
	byCell := map[seriesKey][]*Operation{}
	for _, op := range r.Operations {
		if op.Phase == eventlog.Measured {
			byCell[keyOf(op)] = append(byCell[keyOf(op)], op)
		}
	}
	floor := quantiles(r.NoiseMs)
	series := make([]Series, 0, len(cells))
	for _, c := range cells {
		series = append(series, r.summarize(c, byCell[seriesKey{c.Scenario, c.Variant}], floor))
	}
	return series
}

// found lists the cells in the order of their first measured operation.
func (r *Run) found() []Cell {
	cells, seen := []Cell{}, map[seriesKey]bool{}
	for _, op := range r.Operations {
		if op.Phase == eventlog.Measured && !seen[keyOf(op)] {
			seen[keyOf(op)] = true
			cells = append(cells, Cell{Scenario: op.Scenario, Variant: op.Variant, Label: op.Label, BudgetMs: op.BudgetMs})
		}
	}
	return cells
}

func (r *Run) summarize(c Cell, all []*Operation, floor *Quantiles) Series {
	s := Series{Scenario: c.Scenario, Variant: c.Variant, Label: c.Label, Client: c.Client, NotApplicable: c.NotApplicable,
		Planned: c.Planned, BudgetMs: centi(c.BudgetMs), MarginMs: centi(r.MarginMs), NoiseFloorMs: floor}
	if s.Planned == 0 {
		s.Planned = len(all)
	}
	if s.BudgetMs == 0 && len(all) > 0 {
		s.BudgetMs = centi(all[0].BudgetMs)
	}
	ops := s.classify(all)
	s.countExternal(r, all, ops)
	s.count(ops)
	s.measure(ops)
	s.represent(ops)
	s.Leaks = r.leaks[seriesKey{c.Scenario, c.Variant}]
	s.countGroups(r, all, ops)
	s.countCommits(r, ops)
	s.Warnings = s.warnings(len(all), ops)
	if text := r.refused[c.Scenario].warning(); text != "" {
		s.Warnings = append(s.Warnings, text)
	}
	return s
}

// classify keeps what is in the series and counts what is not.
func (s *Series) classify(all []*Operation) (ops []*Operation) {
	for _, op := range all {
		switch {
		case !op.Finished:
		case !op.Valid:
			s.Invalid++
		case op.Disturbed:
			s.Disturbed++
		default:
			ops = append(ops, op)
		}
	}
	s.N = len(ops)
	return ops
}

func (s *Series) count(ops []*Operation) {
	s.Outcomes, s.Promise, s.ServerRequests = map[string]int{}, map[string]int{}, map[string]int{}
	for _, op := range ops {
		s.Outcomes[string(op.Outcome)]++
		s.Promise[string(op.Promise)]++
		s.ServerRequests[strconv.Itoa(op.ServerRequests)]++
		s.InBudget += one(op.InBudget)
		s.Late += one(op.Late)
	}
	if s.tells("attempts") {
		s.Attempts = map[string]int{}
		for _, op := range ops {
			s.Attempts[strconv.Itoa(len(op.Attempts))]++
		}
	}
	s.HeadersReceived = s.sum("headers_received", ops, func(op *Operation) int { return one(is(op.HeadersReceived)) })
	s.BodyComplete = s.sum("body_complete", ops, func(op *Operation) int { return one(is(op.BodyComplete)) })
	s.AfterDeadline = s.sum("attempts_after_deadline", ops, func(op *Operation) int { return valueOf(op.AttemptsAfterDeadline) })
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (s *Series) measure(ops []*Operation) {
	s.DurationMs = durations(ops, func(op *Operation) *float64 { return &op.DurationMs })
	s.NetDurationMs = durations(ops, func(op *Operation) *float64 { return op.NetMs })
	s.OvershootMs = figure(ops, func(op *Operation) *float64 { return &op.Overshoot })
	s.FaultLateMs = figure(ops, func(op *Operation) *float64 { return op.FaultLateMs })
	if s.tells("waste_ms") {
		s.WasteMs = figure(ops, func(op *Operation) *float64 { return op.WasteMs })
	}
	s.StopMs = figure(ops, func(op *Operation) *float64 { return op.Stop.toReturn(ByDeadline) })
	s.CancelToReturnMs = figure(ops, func(op *Operation) *float64 { return op.Stop.toReturn(ByCancel) })
	s.ServerAfterMs = figure(ops, func(op *Operation) *float64 { return op.serverAfter() })
	s.HTTPTimerMs = medianOf(ops, func(op *Operation) *float64 { return op.HTTPTimerMs })
	s.ToHeadersMs = medianOf(ops, func(op *Operation) *float64 { return op.ToHeadersMs })
	if len(s.Outcomes) > 1 {
		s.ByOutcome = map[string]float64{}
		for outcome, median := range outcomeMedians(ops) {
			s.ByOutcome[string(outcome)] = centi(median)
		}
	}
}

// toReturn is from the request to stop, or the deadline's firing, to control
// being back with the caller.
func (s *Stop) toReturn(by string) *float64 {
	if s == nil || s.By != by {
		return nil
	}
	return new(milli(s.ReturnedMs - s.RequestedMs))
}

// serverAfter is how long the last handler went on after the caller was gone.
func (s *Stop) serverAfter() *float64 {
	if s == nil || s.ServerDoneMs == nil {
		return nil
	}
	return new(milli(max(0, *s.ServerDoneMs-s.ReturnedMs)))
}

func values(ops []*Operation, of func(*Operation) *float64) []float64 {
	list := make([]float64, 0, len(ops))
	for _, op := range ops {
		if v := of(op); v != nil {
			list = append(list, *v)
		}
	}
	slices.Sort(list)
	return list
}

func figure(ops []*Operation, of func(*Operation) *float64) *Quantiles {
	return quantiles(values(ops, of))
}

func medianOf(ops []*Operation, of func(*Operation) *float64) *float64 {
	if m, ok := Median(values(ops, of)); ok {
		return new(centi(m))
	}
	return nil
}

// quantiles of ascending values, nil without any.
func quantiles(ascending []float64) *Quantiles {
	median, ok := Median(ascending)
	if !ok {
		return nil
	}
	p95, _ := NearestRank(ascending, 95)
	return &Quantiles{Median: centi(median), P95: new(centi(p95)), Max: centi(ascending[len(ascending)-1])}
}

func durations(ops []*Operation, of func(*Operation) *float64) *Durations {
	list := values(ops, of)
	q := quantiles(list)
	if q == nil {
		return nil
	}
	d := &Durations{Median: q.Median, P95: *q.P95, Min: centi(list[0]), Max: q.Max, RepeatMedians: repeatMedians(ops, of)}
	if low, high, ok := MedianRanks(len(list)); ok {
		d.CI95 = &[2]float64{centi(list[low-1]), centi(list[high-1])}
	}
	return d
}

// repeatMedians are the medians of the repeats in their order; a repeat without
// a counted operation has none.
func repeatMedians(ops []*Operation, of func(*Operation) *float64) []float64 {
	byRepeat := map[int][]float64{}
	for _, op := range ops {
		if ms := of(op); ms != nil {
			byRepeat[op.Repeat] = append(byRepeat[op.Repeat], *ms)
		}
	}
	medians := make([]float64, 0, len(byRepeat))
	for _, n := range slices.Sorted(maps.Keys(byRepeat)) {
		median, _ := Median(byRepeat[n])
		medians = append(medians, centi(median))
	}
	return medians
}

// represent picks the operation nearest the median of the commonest outcome, of
// equals the one with the least id.
func (s *Series) represent(ops []*Operation) {
	common := eventlog.Outcome(commonest(ops, func(op *Operation) string { return string(op.Outcome) }))
	median := outcomeMedians(ops)[common]
	var best *Operation
	for _, op := range ops {
		if op.Outcome == common && (best == nil || nearer(op, best, median)) {
			best = op
		}
	}
	if best != nil {
		s.Representative, s.Where = best.Op, best.Where.rounded()
	}
}

func nearer(op, best *Operation, median float64) bool {
	off := func(o *Operation) float64 { return milli(math.Abs(o.DurationMs - median)) }
	return cmp.Or(cmp.Compare(off(op), off(best)), cmp.Compare(op.Op, best.Op)) < 0
}
