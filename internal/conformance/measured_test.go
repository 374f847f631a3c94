package conformance

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/extclient"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// What broke a client in a call says more than that others were not made then.
func TestBrokeIn(t *testing.T) {
	whole, gone, crashed := &timeline.Operation{}, &timeline.Operation{ClientBroke: extclient.NotAsked + "it ended"}, &timeline.Operation{ClientBroke: "it ended"}
	before := &finding{verdict: broken, text: "after its hello, before it was asked for a call under healthy: it ended", cause: "it ended", final: true, brokeIn: "healthy"}
	inCall := &finding{verdict: broken, text: "in a call under healthy: it ended", cause: "it ended", final: true, brokeIn: "healthy"}
	for _, c := range []struct {
		name string
		ops  []*timeline.Operation
		want *finding
	}{
		{"no call", nil, nil}, {"whole", []*timeline.Operation{whole, whole}, nil}, {"gone", []*timeline.Operation{gone, gone}, before},
		{"crashed, then gone", []*timeline.Operation{whole, crashed, gone}, inCall}, {"gone, crashed", []*timeline.Operation{gone, crashed}, inCall},
	} {
		if diff := cmp.Diff(c.want, brokeIn("healthy", c.ops), cmp.AllowUnexported(finding{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
