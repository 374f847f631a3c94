package runner

import (
	"fmt"
	"strconv"
	"time"

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

func tieProblems(s *scenario.Scenario, v variants.Variant, ties []Tie) []error {
	var problems []error
	for _, t := range ties {
		problems = append(problems, fmt.Errorf(
			"%s: %s: in variant %s %s at %s, within %s of %s at %s, expected a clear winner; move one of the two by more than %s",
			s.At(t.key), t.key, v.Name, t.Upstream, msText(t.UpstreamAt), msText(tieGap), t.Limit, msText(t.LimitAt), msText(tieGap)))
	}
	return problems
}

// msText is a duration for people: "1120 ms", "0.5 ms".
func msText(d time.Duration) string {
	return strconv.FormatFloat(inMs(d), 'f', -1, 64) + " ms"
}
