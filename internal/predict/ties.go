package predict

import (
	"fmt"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// tieGap is how near an upstream event and a limit of the client may come on a
// path before chance decides which of them is first.
const tieGap = 2 * time.Millisecond

// Tie is a deciding event of the upstream so near to a limit of the client
// that the outcome would be chance. Times count from t0.
type Tie struct {
	Upstream   string
	UpstreamAt time.Duration
	Limit      string
	LimitAt    time.Duration
	key        string
}

// TieProblems are ties as errors of the scenario.
func TieProblems(s *scenario.Scenario, v variants.Variant, ties []Tie) []error {
	var problems []error
	for _, t := range ties {
		problems = append(problems, fmt.Errorf(
			"%s: %s: in variant %s %s at %s, within %s of %s at %s, expected a clear winner; move one of the two by more than %s",
			s.At(t.key), t.key, v.Name, t.Upstream, clock.MsText(t.UpstreamAt), clock.MsText(tieGap), t.Limit, clock.MsText(t.LimitAt), clock.MsText(tieGap)))
	}
	return problems
}
