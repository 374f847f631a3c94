package runner

import (
	"context"
	"math"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
)

const (
	// clockExchanges is how often the server's clock is read for one
	// comparison; the quickest exchange bounds the offset best.
	clockExchanges = 20
	// clockWithin bounds the comparison after the last operation.
	clockWithin = 5 * time.Second
)

// alignClocks finds out how the server's times relate to ours, before the
// first operation.
func (r *run) alignClocks(ctx context.Context) error {
	reading, sameBoot, err := r.compareClocks(ctx)
	if err != nil {
		return err
	}
	r.result.Clock = reading.clock()
	// An equal boot id alone proves nothing: two time namespaces of one kernel
	// have it in common, and clocks that are apart.
	if sameBoot && reading.holds(0) {
		r.result.Clock.Shared, r.result.Clock.OffsetNs, r.result.Clock.BoundNs = true, 0, 0
	}
	if r.cfg.Aligned != nil {
		r.cfg.Aligned(r.result.Clock)
	}
	return nil
}

// realignClocks compares the clocks once more, after the last event has
// arrived: two clocks drift, and the bound must hold for the whole run.
func (r *run) realignClocks() {
	if r.result.Clock.Shared || len(r.result.Clock.Readings) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), clockWithin)
	defer cancel()
	if reading, _, err := r.compareClocks(ctx); err == nil {
		r.result.Clock = span(r.result.Clock.Readings[0], reading)
	}
}

// compareClocks reads the server's clock several times.
func (r *run) compareClocks(ctx context.Context) (best Reading, sameBoot bool, err error) {
	best.BoundNs = math.MaxInt64
	for range clockExchanges {
		before := r.clock.Now()
		theirs, err := r.control.Clock(ctx)
		if err != nil {
			return Reading{}, false, err
		}
		after := r.clock.Now()
		sameBoot = theirs.BootID != "" && theirs.BootID == clock.BootID()
		if bound := (after-before)/2 + 1; bound < best.BoundNs {
			middle := before + (after-before)/2
			best = Reading{AtNs: middle, OffsetNs: middle - theirs.TNs, BoundNs: bound}
		}
	}
	return best, sameBoot, nil
}

// holds tells whether the offset may be ns.
func (g Reading) holds(ns int64) bool {
	return g.OffsetNs-g.BoundNs <= ns && ns <= g.OffsetNs+g.BoundNs
}

func (g Reading) clock() Clock {
	return Clock{OffsetNs: g.OffsetNs, BoundNs: g.BoundNs, Readings: []Reading{g}}
}

// span is the narrowest clock that holds both readings: what lies between them
// is the drift.
func span(a, b Reading) Clock {
	low, high := min(a.OffsetNs-a.BoundNs, b.OffsetNs-b.BoundNs), max(a.OffsetNs+a.BoundNs, b.OffsetNs+b.BoundNs)
	return Clock{OffsetNs: low + (high-low)/2, BoundNs: (high - low + 1) / 2, Readings: []Reading{a, b}}
}
