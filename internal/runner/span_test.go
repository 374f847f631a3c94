package runner

import "testing"

// The clock of a run holds both readings of it, whatever drifted in between.
func TestSpan(t *testing.T) {
	for _, c := range []struct {
		why           string
		a, b          Reading
		offset, bound int64
	}{
		{"no drift, the same bound", Reading{OffsetNs: 100, BoundNs: 10}, Reading{OffsetNs: 100, BoundNs: 10}, 100, 10},
		{"the second one is narrower and inside the first", Reading{OffsetNs: 100, BoundNs: 10}, Reading{OffsetNs: 104, BoundNs: 2}, 100, 10},
		{"drift upwards", Reading{OffsetNs: 100, BoundNs: 10}, Reading{OffsetNs: 200, BoundNs: 10}, 150, 60},
		{"drift downwards across zero", Reading{OffsetNs: 20, BoundNs: 5}, Reading{OffsetNs: -20, BoundNs: 5}, 0, 25},
		{"an odd width is rounded up", Reading{OffsetNs: 0, BoundNs: 1}, Reading{OffsetNs: 1, BoundNs: 1}, 0, 2},
	} {
		got := span(c.a, c.b)
		if got.Shared || got.OffsetNs != c.offset || got.BoundNs != c.bound || len(got.Readings) != 2 {
			t.Errorf("%s: %+v", c.why, got)
		}
		for _, r := range got.Readings {
			if got.OffsetNs-got.BoundNs > r.OffsetNs-r.BoundNs || got.OffsetNs+got.BoundNs < r.OffsetNs+r.BoundNs {
				t.Errorf("%s: %+v lies outside of %+v", c.why, r, got)
			}
		}
	}
}
