package timeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Of twenty calls one hangs until the hard cap, and meanwhile the machine once
// stalls for 60 ms: that does not explain 9 s. One that was 50 ms late it does.
func TestStallExplainsNoHang(t *testing.T) {
	var text strings.Builder
	for i := range 20 {
		took, outcome, stall := 990, "success", 0
		switch i {
		case 7:
			took, outcome, stall = 9000, "cap_reached", 60
		case 9:
			took, outcome, stall = 1050, "success", 60
		}
		t0 := 20000 * i
		fmt.Fprintf(&text, "c %d operation_started op=o%d variant=D\n", t0, i)
		if stall > 0 {
			fmt.Fprintf(&text, "s %d noise_sampled op= due=%d late_ms=%d\n", t0+10+stall, t0+10, stall)
		}
		fmt.Fprintf(&text, "c %d operation_finished op=o%d outcome=%s\n", t0+took, i, outcome)
	}
	run := timeline.Merge(history(t, text.String()))
	if len(run.Problems) > 0 {
		t.Fatal(run.Problems)
	}
	if hung := run.Operation("o7"); hung.StallMs < 60 || hung.Disturbed || hung.Promise != timeline.Unbounded {
		t.Errorf("stall %v, disturbed %t by %q, promise %s", hung.StallMs, hung.Disturbed, hung.Reasons, hung.Promise)
	}
	if late := run.Operation("o9"); late.StallMs < 60 || !late.Disturbed {
		t.Errorf("stall %v, disturbed %t", late.StallMs, late.Disturbed)
	}
}
