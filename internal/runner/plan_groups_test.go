package runner

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// Groups count the items of scenarios whose callers have one client; others
// keep their operations.
func TestPlanGroups(t *testing.T) {
	many := load(t, "slow_headers")
	many.Name, many.Callers = "many", &scenario.Callers{Count: 5, Share: []string{scenario.ShareTransport}}
	for groups, want := range map[int]int{0: 10 * 5, 2: 2 * 5} {
		p := newPlan(t, Options{Repeats: 3, Operations: 10, Groups: groups}, "D", load(t, "healthy"), many)
		count := map[string]int{}
		for _, it := range p.Items {
			if it.Index > 0 {
				count[it.Scenario] += it.Callers
			}
		}
		if count["many"] != 3*want || count["healthy"] != 3*10 || p.measured() != 3*want+3*10 {
			t.Errorf("%d groups: %v, %d measured", groups, count, p.measured())
		}
	}
	if _, err := NewPlan([]*scenario.Scenario{many}, nil, Options{Repeats: 1, Operations: 1, Groups: -1}); err == nil {
		t.Error("-1 groups were accepted")
	}
}
