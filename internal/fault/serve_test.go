package fault

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

const (
	okBody  = "{\"marker\":\"deadlinelab:op-1\"}\n"
	errBody = "{\"error\":\"scripted status 503\"}\n"
)

func TestServe(t *testing.T) {
	for _, c := range []struct {
		name   string
		fault  Fault
		phase  eventlog.Phase
		number int
		want   []string
	}{
		{"healthy answers at once by default", &Healthy{}, eventlog.Measured, 1,
			[]string{"0s delay until 0s", "0s headers 200", "0s write " + okBody, "0s finish"}},
		{"healthy after its delay", &Healthy{ResponseDelayMs: 20}, eventlog.Measured, 1,
			[]string{"0s delay until 20ms", "20ms headers 200", "20ms write " + okBody, "20ms finish"}},
		{"fractions of a millisecond count", &SlowHeaders{ResponseDelayMs: 0.25}, eventlog.Measured, 1,
			[]string{"0s delay until 250µs", "250µs headers 200", "250µs write " + okBody, "250µs finish"}},
		{"slow headers", &SlowHeaders{ResponseDelayMs: 800}, eventlog.Measured, 2,
			[]string{"0s delay until 800ms", "800ms headers 200", "800ms write " + okBody, "800ms finish"}},
		{"the first chunk goes with the head", &SlowBody{Status: 200, Chunks: 3, ChunkIntervalMs: 75}, eventlog.Measured, 1,
			[]string{"0s delay until 0s", "0s headers 200", `0s write {"chunks":[0`,
				"0s delay until 75ms", "75ms write ,1",
				"75ms delay until 150ms", "150ms write ,\"deadlinelab:op-1\"]}\n", "150ms finish"}},
		{"one chunk holds all", &SlowBody{Status: 200, Chunks: 1, ChunkIntervalMs: 75}, eventlog.Measured, 1,
			[]string{"0s delay until 0s", "0s headers 200", "0s write {\"chunks\":[\"deadlinelab:op-1\"]}\n", "0s finish"}},
		{"step 1", twoSteps(), eventlog.Measured, 1,
			[]string{"0s delay until 50ms", "50ms headers 503", "50ms write " + errBody, "50ms finish"}},
		{"step 2", twoSteps(), eventlog.Measured, 2,
			[]string{"0s delay until 60ms", "60ms headers 200", "60ms write " + okBody, "60ms finish"}},
		{"the last step repeats", twoSteps(), eventlog.Measured, 9,
			[]string{"0s delay until 60ms", "60ms headers 200", "60ms write " + okBody, "60ms finish"}},
		{"a status without a body", &PersistentError{Status: 204}, eventlog.Measured, 1,
			[]string{"0s delay until 0s", "0s headers 204", "0s finish"}},
		{"persistent error", &PersistentError{Status: 503, ResponseDelayMs: 50}, eventlog.Measured, 3,
			[]string{"0s delay until 50ms", "50ms headers 503", "50ms write " + errBody, "50ms finish"}},
		{"the helper's connection is held after one byte", &PoolWait{HoldMs: 1100, ResponseDelayMs: 20}, eventlog.Helper, 1,
			[]string{"0s headers 200", "0s write {", "0s hold", "1.1s write " + okBody[1:], "1.1s finish"}},
		{"the others wait in the client, not here", &PoolWait{HoldMs: 1100, ResponseDelayMs: 20}, eventlog.Measured, 1,
			[]string{"0s delay until 20ms", "20ms headers 200", "20ms write " + okBody, "20ms finish"}},
		{"the lead's first exchange fails", &BackoffHoldsSlot{Status: 503, ResponseDelayMs: 20}, eventlog.Helper, 1,
			[]string{"0s delay until 0s", "0s headers 503", "0s write " + errBody, "0s finish"}},
		{"the lead's second succeeds", &BackoffHoldsSlot{Status: 503, ResponseDelayMs: 20}, eventlog.Helper, 2,
			[]string{"0s delay until 20ms", "20ms headers 200", "20ms write " + okBody, "20ms finish"}},
		{"the measured one's first as well", &BackoffHoldsSlot{Status: 503, ResponseDelayMs: 20}, eventlog.Measured, 1,
			[]string{"0s delay until 20ms", "20ms headers 200", "20ms write " + okBody, "20ms finish"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ex := newFake(c.number, c.phase)
				ex.holdFor = 1100 * time.Millisecond
				if err := Serve(c.fault, ex); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, ex.log); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func twoSteps() Fault {
	return &TransientError{Steps: []Step{{Status: 503, DelayMs: 50}, {Status: 200, DelayMs: 60}}}
}

// A schedule, not a chain of sleeps: a write that takes 30 ms does not move
// the chunks after it.
func TestSlowBodyKeepsItsSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ex := &dawdling{fakeExchange: newFake(1, eventlog.Measured)}
		if err := Serve(&SlowBody{Status: 200, Chunks: 16, ChunkIntervalMs: 75}, ex); err != nil {
			t.Fatal(err)
		}
		for k, at := range ex.wrote[1:] {
			if want := time.Duration(k) * 75 * time.Millisecond; at != want {
				t.Errorf("chunk %d began at %v, due at %v", k, at, want)
			}
		}
	})
}

type dawdling struct{ *fakeExchange }

func (d *dawdling) Write(p []byte) error {
	err := d.fakeExchange.Write(p)
	time.Sleep(30 * time.Millisecond)
	return err
}

func TestArrangements(t *testing.T) {
	for name, want := range map[string]Arrangement{
		"healthy":            {},
		"slow_headers":       {},
		"slow_body":          {},
		"transient_error":    {},
		"persistent_error":   {},
		"hang":               {},
		"pool_wait":          {HoldConnection: 1100 * time.Millisecond},
		"semaphore_wait":     {HoldSlot: 1100 * time.Millisecond},
		"cancel_in_http":     {CancelOn: eventlog.ServerRequestStarted, CancelAfter: 100 * time.Millisecond},
		"cancel_in_backoff":  {CancelOn: eventlog.BackoffStarted, CancelAfter: 50 * time.Millisecond},
		"backoff_holds_slot": {LeadUntil: eventlog.BackoffStarted},
		"black_hole":         {},
	} {
		f, ok := New(name)
		if !ok {
			t.Fatalf("%s is not registered", name)
		}
		if got := f.Arrangement(); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}
