// Package clock is the run's clock as a value: nanoseconds of CLOCK_MONOTONIC,
// which every process of one host shares, read through the runtime's own
// monotonic reading so that testing/synctest can virtualise it.
//
// It imports only the standard library and golang.org/x/sys.
package clock

import "time"

// Clock converts between time.Time and the run's nanoseconds. It is anchored
// once per process (or per test bubble) and copied freely afterwards.
type Clock struct {
	anchor time.Time
	base   int64
}

// New anchors a clock: the two readings that belong together are taken within
// the narrowest of a few tries, so that a preemption between them cannot skew
// every later event.
func New() Clock {
	var best Clock
	narrowest := int64(1<<63 - 1)
	for range 8 {
		before := monotonic()
		anchor := time.Now()
		width := monotonic() - before
		if width < narrowest {
			narrowest, best = width, Clock{anchor: anchor, base: before + width/2}
		}
	}
	return best
}

// Now is the present in nanoseconds of the run's clock.
func (c Clock) Now() int64 { return c.base + int64(time.Since(c.anchor)) }

// Ns is t in nanoseconds of the run's clock. t must carry a monotonic reading.
func (c Clock) Ns(t time.Time) int64 { return c.base + int64(t.Sub(c.anchor)) }

// At is the inverse of Ns.
func (c Clock) At(ns int64) time.Time { return c.anchor.Add(time.Duration(ns - c.base)) }
