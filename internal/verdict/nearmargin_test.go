package verdict

import (
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Of a process per operation few may be a little late, of others only what the
// noise floor explains; many, much, or an end that never comes fail.
func TestRequireGrazed(t *testing.T) {
	for name, c := range map[string]struct {
		client    string
		late      int
		most      float64
		unbounded int
		want      Verdict
	}{
		"a process, one in 50":      {eventlog.ExecClient, 1, 55, 0, Inconclusive},
		"a process, by a lot":       {eventlog.ExecClient, 1, 55.1, 0, Fail},
		"processes, two in 50":      {eventlog.ExecClient, 2, 12, 0, Fail},
		"one never ends":            {eventlog.ExecClient, 1, 12, 1, Fail},
		"an adapter, by the noise":  {eventlog.AdapterClient, 1, 6, 0, Inconclusive},
		"an adapter, by more":       {eventlog.AdapterClient, 1, 6.1, 0, Fail},
		"a variant, within the day": {"", 1, 6, 0, Inconclusive},
	} {
		s := timeline.Series{Client: c.client, N: 50, Late: c.late, MarginMs: 5,
			OvershootMs: &timeline.Quantiles{Max: c.most}, NoiseFloorMs: &timeline.Quantiles{Max: 1},
			Promise: map[string]int{"failed_in_time": 50 - c.late - c.unbounded, "late": c.late, "unbounded": c.unbounded}}
		e := evidence{series: s, operations: []*timeline.Operation{{BudgetMs: 1000}}}
		got := e.promise(RequireBounded)
		if got.Verdict != c.want || strings.Contains(got.Reason, "run it again when the machine is quiet") != (c.want == Inconclusive) {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
}
