package lab

import (
	"bytes"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// As many processes run at once as leave the start-up what it is alone.
func TestRehearse(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name string
		most int
		took func(n int) time.Duration // of each of n calls at once
		want rehearsal
		said string
	}{
		{"light", 4, func(n int) time.Duration { return time.Duration(10+n) * ms }, rehearsal{11 * ms, 4, 14 * ms, 4}, "4 at once: a call takes 11.0 ms alone, 14.0 ms as one of 4"},
		{"as heavy as two cores", 4, func(n int) time.Duration { return 850 * ms * time.Duration(max(2, 2*n)) / 2 }, rehearsal{850 * ms, 1, 1700 * ms, 2}, "1 at once: a call takes 850.0 ms alone, 1700.0 ms as one of 2"},
		{"as heavy as one of two cores", 4, func(n int) time.Duration { return 600 * ms * time.Duration(max(2, n)) / 2 }, rehearsal{600 * ms, 2, 1200 * ms, 4}, "2 at once: a call takes 600.0 ms alone, 1200.0 ms as one of 4"},
		{"three cores", 6, func(n int) time.Duration { return 90 * ms * time.Duration(max(6, n)) / 6 }, rehearsal{90 * ms, 6, 90 * ms, 6}, "6 at once: a call takes 90.0 ms alone, 90.0 ms as one of 6"},
		{"as long as a budget", 8, func(int) time.Duration { return 6 * time.Second }, rehearsal{alone: 6 * time.Second, atOnce: 1}, "1 at once: a call takes 6000.0 ms alone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got := rehearse(c.most, func(n int) []time.Duration {
					time.Sleep(c.took(n))
					return slices.Repeat([]time.Duration{c.took(n)}, n)
				})
				if got != c.want || got.String() != c.said {
					t.Errorf("found %+v (%s), expected %+v (%s)", got, got, c.want, c.said)
				}
			})
		})
	}
}

// One slow start among three is no slow client.
func TestRehearseTakesTheMedian(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		got := rehearse(2, func(n int) []time.Duration {
			calls += n
			if calls == 1 {
				return []time.Duration{time.Second} // nothing is in the disk's cache yet
			}
			return slices.Repeat([]time.Duration{30 * time.Millisecond}, n)
		})
		if want := (rehearsal{30 * time.Millisecond, 2, 30 * time.Millisecond, 2}); got != want {
			t.Errorf("found %+v, expected %+v", got, want)
		}
	})
}

// Every run says beforehand how long it will take.
func TestAnnounce(t *testing.T) {
	s, err := scenario.ByName("slow_headers")
	if err != nil {
		t.Fatal(err)
	}
	vs, err := FindVariants([]string{"B", "D"})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := runner.NewPlan([]*scenario.Scenario{s}, vs, runner.Options{Repeats: 3, Operations: 30})
	if err != nil {
		t.Fatal(err)
	}
	for parallel, want := range map[int]string{1: "note: 182 operations, about 3m48s\n", 10: "note: 182 operations, about 24s\n", 200: "note: 182 operations, about 2s\n"} {
		var said bytes.Buffer
		Announce(console.Streams{Err: &said}, plan, parallel, nil)
		if said.String() != want {
			t.Errorf("%d at once: %q, expected %q", parallel, said.String(), want)
		}
	}
}
