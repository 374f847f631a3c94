package adapter

import "time"

// clock turns readings of package time into t_ns. It is anchored once; Go's own
// monotonic reading runs at the same rate.
type clock struct {
	anchor time.Time
	base   int64
}

// newClock takes the two readings that belong together within the narrowest of
// a few tries: a preemption between them would skew every event.
func newClock() clock {
	var best clock
	narrowest := int64(1<<63 - 1)
	for range 8 {
		before := monotonic()
		anchor := time.Now()
		if width := monotonic() - before; width < narrowest {
			narrowest, best = width, clock{anchor: anchor, base: before + width/2}
		}
	}
	return best
}

// ns is t as t_ns; 0 where no clock is shared.
func (c clock) ns(t time.Time) int64 {
	if hostClock == ClockNone {
		return 0
	}
	return c.base + int64(t.Sub(c.anchor))
}

// at is the inverse of ns.
func (c clock) at(ns int64) time.Time { return c.anchor.Add(time.Duration(ns - c.base)) }
