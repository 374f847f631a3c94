package runner

import (
	"math"
	"slices"
	"testing"
	"time"
)

// Operations under a date start evenly over the second, in every cell, and one
// after the other.
func TestDatesAreSpread(t *testing.T) {
	for _, c := range []struct{ repeats, operations int }{{3, 30}, {1, 6}, {1, 1}, {2, 7}, {1, 90}, {5, 40}} {
		p := newPlan(t, Options{Seed: 1, Repeats: c.repeats, Operations: c.operations}, "", load(t, "retry_after_date"), load(t, "healthy"))
		byCell, last := map[string][]float64{}, map[int]float64{}
		for _, it := range p.Items {
			if (it.InSecond != nil) != (it.Scenario == "retry_after_date" && it.Index > 0) {
				t.Fatalf("%s: in second %v", it.Op, it.InSecond)
			}
			if it.InSecond == nil {
				continue
			}
			at := it.InSecond.Seconds()
			byCell[it.Variant] = append(byCell[it.Variant], at)
			if before, ok := last[it.Repeat]; ok && math.Mod(at-before+1, 1) < datedGap.Seconds()-1e-6 {
				t.Errorf("%+v: %s starts %.4f s into the second, after %.4f", c, it.Op, at, before)
			}
			last[it.Repeat] = at
		}
		for variant, at := range byCell {
			slices.Sort(at)
			for i, x := range at {
				if ideal := (float64(i) + 0.5) / float64(len(at)); math.Abs(x-ideal) > 0.5/float64(c.operations)+1e-6 {
					t.Errorf("%+v: %s: start %d of %d is %.4f s into the second, want about %.4f", c, variant, i, len(at), x, ideal)
				}
			}
		}
	}
}

// An instant that lies in the past of its second is in the next one.
func TestNextInSecond(t *testing.T) {
	second := time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
	for _, c := range []struct{ from, into, want time.Duration }{
		{0, 0, 0}, {0, 250, 250}, {250, 250, 250}, {251, 250, 1250}, {999, 0, 1000},
	} {
		got := nextInSecond(second.Add(c.from*time.Millisecond), c.into*time.Millisecond)
		if want := second.Add(c.want * time.Millisecond); !got.Equal(want) {
			t.Errorf("%d ms on, %d ms into: %s, want %s", c.from, c.into, got, want)
		}
	}
}

// A date that is past is not awaited: nothing has to be spread.
func TestPastDatesAreNotSpread(t *testing.T) {
	for _, name := range []string{"retry_after_past", "retry_after_seconds", "healthy"} {
		for _, it := range newPlan(t, Options{Seed: 1, Repeats: 1, Operations: 3}, "", load(t, name)).Items {
			if it.InSecond != nil {
				t.Errorf("%s: %s", it.Op, it.InSecond)
			}
		}
	}
}
