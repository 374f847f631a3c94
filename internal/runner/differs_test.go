package runner

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/predict"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Every variant that scenarios list has one in which it differs from every other
// that takes part: in its path, or in what is expected of it besides.
func TestEveryVariantDiffersSomewhere(t *testing.T) {
	for _, v := range variants.All() {
		if !slices.ContainsFunc(scenario.All(), func(s *scenario.Scenario) bool { return slices.Contains(s.Variants, v.Name) }) {
			continue // a copy made to be repaired: no scenario lists it yet
		}
		if where := differsIn(scenario.All(), v); where == "" {
			t.Errorf("%s shows the same as some other variant in every scenario: it has no reason to exist", v.Name)
		} else {
			t.Logf("%s is alone in %s", v.Name, where)
		}
	}
}

func differsIn(scenarios []*scenario.Scenario, v variants.Variant) string {
	for _, s := range scenarios {
		alone := slices.Contains(s.Variants, v.Name) && len(s.Variants) > 1
		for _, other := range takingPart(s, nil, false) {
			if other.Name != v.Name && figures(predict.Compute(s, other)) == figures(predict.Compute(s, v)) && reflect.DeepEqual(s.Expect[other.Name], s.Expect[v.Name]) {
				alone = false
			}
		}
		if alone {
			return s.Name
		}
	}
	return ""
}

type figure struct {
	outcome            eventlog.Outcome
	duration           time.Duration
	attempts, requests int
}

func figures(c predict.Computation) figure {
	return figure{c.Outcome, c.Duration, c.Attempts, c.Requests}
}
