package timeline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// A process that waited for a processor was held up by the machine: where that
// explains why it is late, it is disturbed. The kernel has to say so. One that was
// slow to send its first request, or to end, and did not wait is a slow client.
func TestQueuedProcess(t *testing.T) {
	ops := slices.Repeat([]curl{{36, 1036, 1040, 2}}, 20)
	ops[3], ops[4] = curl{236, 1236, 1240, 202}, curl{36, 1036, 1140, 101} // held up before the request, after it
	ops[5], ops[6] = curl{236, 1236, 1240, 2}, curl{36, 1036, 1140, 0}     // slow to connect, slow to end
	ops[7] = curl{36, 1036, 1240, 80}                                      // held up, but not for as long as it was late
	run := timeline.Merge(history(t, curls(ops)+startups()))
	if len(run.Problems) > 0 {
		t.Fatal(run.Problems)
	}
	for op, want := range map[string]struct {
		stall           float64
		late, disturbed bool
	}{"m0": {2, false, false}, "m3": {202, true, true}, "m4": {101, true, true}, "m5": {2, true, false}, "m6": {0, true, false}, "m7": {80, true, false}} {
		got := run.Operation(op)
		if got.StallMs != want.stall || got.Late != want.late || got.Disturbed != want.disturbed {
			t.Errorf("%s: stall %v, late %v, disturbed %v %q, want %+v", op, got.StallMs, got.Late, got.Disturbed, got.Reasons, want)
		}
	}
}

// A client whose last pause is of any length, as jitter makes it, is late as often
// as it is: that it differs from itself is no excuse.
func TestJitterStaysLate(t *testing.T) {
	var jittery []curl
	for i := range 20 {
		end := 1000 + 20*float64(i)
		jittery = append(jittery, curl{36, 900, end, 2})
	}
	run := timeline.Merge(history(t, curls(jittery)+startups()))
	series := timeline.Summarize(run, []timeline.Cell{{Scenario: "slow", Variant: "curl", Client: "exec"}})[0]
	if len(run.Problems) > 0 || series.N != 20 || series.Disturbed != 0 || series.Late != 17 {
		t.Errorf("problems %v, n %d, disturbed %d, late %d, want 20, 0 and 17", run.Problems, series.N, series.Disturbed, series.Late)
	}
}

// What a process waits when it starts is in its start-up, which is taken off.
func TestQueuedAtStart(t *testing.T) {
	busy := strings.ReplaceAll(startups(), "outcome=success", "outcome=success late_ms=30")
	run := timeline.Merge(history(t, curls([]curl{{36, 1037, 1041, 30}, {36, 1037, 1041, 45}})+busy))
	for op, want := range map[string]float64{"m0": 0, "m1": 15} {
		if got := run.Operation(op); got.StallMs != want {
			t.Errorf("%s: stall %v, want %v", op, got.StallMs, want)
		}
	}
}

// curl is one operation of a process of its own, in ms from its start: its
// request arrives, the server sees it leave, it ends; and how long of that it
// waited for a processor.
type curl struct{ toRequest, gone, end, queued float64 }

func curls(ops []curl) string {
	var text strings.Builder
	for i, m := range ops {
		t0 := 2000 * float64(i)
		fmt.Fprintf(&text, "c %s operation_started op=m%d client=exec blind=yes variant=curl\n", trim(t0), i)
		fmt.Fprintf(&text, "s %s server_request_started #1 op=m%d\n", trim(t0+m.toRequest), i)
		fmt.Fprintf(&text, "s %s server_client_gone #1 how=fin op=m%d\n", trim(t0+m.gone), i)
		fmt.Fprintf(&text, "s %s server_handler_finished #1 op=m%d\n", trim(t0+m.end), i)
		fmt.Fprintf(&text, "c %s operation_finished op=m%d outcome=deadline_exceeded late_ms=%s\n", trim(t0+m.end), i, trim(m.queued))
	}
	return text.String()
}

// A client that never ends has no start-up, and is unbounded all the same.
func TestCapWithoutStartup(t *testing.T) {
	run, op := merged(t, `
c 0     operation_started client=exec blind=yes variant=curl
c 8001  operation_finished outcome=cap_reached
`)
	if len(run.Problems) > 0 || !op.Valid || op.Promise != timeline.Unbounded || op.NetMs != nil {
		t.Errorf("problems %v, %+v", run.Problems, op)
	}
}
