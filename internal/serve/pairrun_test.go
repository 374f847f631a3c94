package serve

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// At no instant has a caller its control back while its call is under way: the
// present may lie anywhere between two hundredths of a millisecond.
func TestNothingReturnsWhileUnderWay(t *testing.T) {
	s, err := scenario.ByName("slow_headers")
	if err != nil {
		t.Fatal(err)
	}
	const t0 = int64(5e9)
	run := timeline.Merge(timeline.Input{Client: []eventlog.Event{{Seq: 2, TNs: t0, Op: "x", Kind: eventlog.OperationStarted,
		Start: &eventlog.Start{Scenario: s.Name, Variant: "operation_deadline", Label: "D", Repeat: 1, Index: 1, Phase: eventlog.Measured, BudgetMs: 1000, DeadlineNs: t0 + 1e9}}}})
	d := newPairRun(s, nil, 1600)
	for _, after := range []int64{727_340_000, 727_341_000, 727_344_999, 727_345_000, 727_349_999} {
		drawn := chart.NewDetailedChart(d.soFar(run, t0+after))
		for i := range drawn.Blocks {
			underWay(&drawn.Blocks[i], run, t0+after)
			for _, lane := range drawn.Blocks[i].Lanes {
				for _, m := range lane.Marks {
					if m.Kind == chart.Returned {
						t.Errorf("after %d ns: %+v", after, m)
					}
				}
			}
		}
	}
}
