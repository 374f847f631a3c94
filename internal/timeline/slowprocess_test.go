package timeline_test

import (
	"fmt"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// A process that was slow to send its first request, or to end, was held up by
// the machine: that explains why its operation alone is late. One that is late
// for another reason stays late.
func TestSlowProcess(t *testing.T) {
	text := ""
	for i, m := range []struct{ toRequest, gone, end float64 }{{36, 1037, 1041}, {37, 1036, 1040}, {35, 1035, 1039}, {236, 1236, 1240}, {36, 1236, 1240}, {36, 1036, 1140}} {
		t0 := 2000 * float64(i)
		text += fmt.Sprintf("c %s operation_started op=m%d client=exec blind=yes variant=curl\n", trim(t0), i)
		text += fmt.Sprintf("s %s server_request_started #1 op=m%d\n", trim(t0+m.toRequest), i)
		text += fmt.Sprintf("s %s server_client_gone #1 how=fin op=m%d\n", trim(t0+m.gone), i)
		text += fmt.Sprintf("s %s server_handler_finished #1 op=m%d\n", trim(t0+m.end), i)
		text += fmt.Sprintf("c %s operation_finished op=m%d outcome=deadline_exceeded\n", trim(t0+m.end), i)
	}
	run := timeline.Merge(history(t, text+startups()))
	if len(run.Problems) > 0 {
		t.Fatal(run.Problems)
	}
	for op, want := range map[string]struct {
		stall           float64
		late, disturbed bool
	}{"m0": {0, false, false}, "m1": {1, false, false}, "m3": {200, true, true}, "m4": {0, true, false}, "m5": {99, true, true}} {
		got := run.Operation(op)
		if got.StallMs != want.stall || got.Late != want.late || got.Disturbed != want.disturbed {
			t.Errorf("%s: stall %v, late %v, disturbed %v, want %+v", op, got.StallMs, got.Late, got.Disturbed, want)
		}
	}
}

// Where all wait before their first request, that is the scenario's wait.
func TestSlowConnect(t *testing.T) {
	text := ""
	for i := range 3 {
		t0 := 2000 * float64(i)
		text += fmt.Sprintf("c %s operation_started op=m%d client=exec blind=yes variant=curl\n", trim(t0), i)
		text += fmt.Sprintf("s %s server_request_started #1 op=m%d\n", trim(t0+336), i)
		text += fmt.Sprintf("s %s server_handler_finished #1 op=m%d\n", trim(t0+1240), i)
		text += fmt.Sprintf("c %s operation_finished op=m%d outcome=deadline_exceeded\n", trim(t0+1240), i)
	}
	run := timeline.Merge(history(t, text+startups()))
	for _, op := range []string{"m0", "m1", "m2"} {
		if got := run.Operation(op); got.StallMs != 0 || !got.Late || got.Disturbed {
			t.Errorf("%s: %+v", op, got)
		}
	}
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
