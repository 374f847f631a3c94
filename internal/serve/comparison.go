package serve

import (
	"fmt"
	"math"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// promiseWords is what each promise means, in words for the page.
var promiseWords = map[timeline.Promise]string{
	timeline.Kept:              "kept: the answer, in time",
	timeline.FailedInTime:      "an error, but in time",
	timeline.Late:              "too late, answer or error",
	timeline.Unbounded:         "nothing: it never ends by itself",
	timeline.CancelledByCaller: "cancelled by the caller",
}

// compared is one prediction beside what was measured.
type compared struct {
	What      string
	Predicted string // empty: nothing was predicted
	Measured  string
	Right     bool
}

// A duration counts as predicted within a tenth, or within closeMs.
const (
	closeShare = 0.1
	closeMs    = 50
)

// compare holds a prediction against the operation that was measured.
func compare(p prediction, o *timeline.Operation) []compared {
	promise := compared{What: "promise", Measured: promiseWords[o.Promise], Right: p.Promise == o.Promise}
	if p.Promise != "" {
		promise.Predicted = promiseWords[p.Promise]
	}
	duration := compared{What: "duration", Measured: msWords(o.DurationMs)}
	if p.DurationMs != nil {
		duration.Predicted = msWords(*p.DurationMs)
		duration.Right = math.Abs(*p.DurationMs-o.DurationMs) <= max(closeMs, closeShare*o.DurationMs)
	}
	requests := compared{What: "requests at the server", Measured: fmt.Sprint(o.ServerRequests)}
	if p.Requests != nil {
		requests.Predicted, requests.Right = fmt.Sprint(*p.Requests), *p.Requests == o.ServerRequests
	}
	return []compared{promise, duration, requests}
}

// right counts what was predicted, and what of it came true.
func right(rows []compared) (hits, predicted int) {
	for _, r := range rows {
		if r.Predicted == "" {
			continue
		}
		predicted++
		if r.Right {
			hits++
		}
	}
	return hits, predicted
}

func msWords(ms float64) string { return fmt.Sprintf("%.0f ms", ms) }
