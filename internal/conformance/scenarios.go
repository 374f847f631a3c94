package conformance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

func (e *examination) checkSuccess(ctx context.Context) finding {
	ops, bad := e.measure(ctx, "healthy")
	if bad != nil {
		return *bad
	}
	for _, op := range ops {
		if op.Outcome != eventlog.Success {
			return failedf("success, with the body that the server sent", "%s", ending(op))
		}
	}
	return okf("%d of %d calls ended with the server's body", len(ops), len(ops))
}

// ending is how an operation ended, in words.
func ending(op *timeline.Operation) string {
	return fmt.Sprintf("%s after %.1f ms", op.Outcome, op.DurationMs) + because(op.ErrorType, op.Error)
}

// because is an error in brackets; empty if there is none.
func because(errorType, text string) string {
	if errorType == "" && text == "" {
		return ""
	}
	return " (" + strings.TrimPrefix(strings.TrimSuffix(errorType+": "+text, ": "), ": ") + ")"
}

func requests(n int) string { return textui.Count(n, "request") }

// checkTimes holds the client's times against the server's: a request does not
// arrive before the call, and no answer is there before the server has written
// it. That none lies in the future or long before its line, and their order
// among themselves, is seen to in every run.
func (e *examination) checkTimes(ctx context.Context) finding {
	ops, bad := e.measure(ctx, "healthy")
	if bad != nil {
		return *bad
	}
	const skewMs = 0.2
	for _, op := range ops {
		for _, x := range exchangesOf(op) {
			if x.StartMs < -skewMs {
				return failedf("operation_started with the instant before the client does anything", "a request %.1f ms before its t_ns in %s", -x.StartMs, op.Op)
			}
			if x.PreparedMs != nil && op.Outcome == eventlog.Success && op.DurationMs < *x.PreparedMs-skewMs {
				return failedf("operation_finished with the instant after the body was read", "a success %.1f ms before the server wrote its answer in %s", *x.PreparedMs-op.DurationMs, op.Op)
			}
		}
	}
	return okf("the calls lasted %s; no event lies outside what the server saw", durations(ops))
}

func exchangesOf(op *timeline.Operation) []timeline.Exchange {
	list := append(append([]timeline.Exchange{}, op.Exchanges...), op.Stray...)
	for _, a := range op.Attempts {
		list = append(list, a.Exchanges...)
	}
	return list
}

func durations(ops []*timeline.Operation) string {
	var list []string
	for _, op := range ops {
		list = append(list, fmt.Sprintf("%.1f", op.DurationMs))
	}
	return strings.Join(list, ", ") + " ms"
}

func (e *examination) checkStatus(ctx context.Context) finding {
	ops, bad := e.measure(ctx, "persistent_error")
	if bad != nil {
		return *bad
	}
	for _, op := range ops {
		if op.Outcome == eventlog.Success || op.Outcome == eventlog.InvalidData {
			return failedf("unexpected_status, or retries_exhausted", "%s where every answer is a 503", ending(op))
		}
	}
	return okf("%s, with %s", ops[0].Outcome, requests(ops[0].ServerRequests))
}

func (e *examination) checkAttempts(ctx context.Context) finding {
	ops, bad := e.measure(ctx, "transient_error")
	if bad != nil {
		return *bad
	}
	for _, op := range ops {
		if len(op.Attempts) != op.ServerRequests || len(op.Stray) > 0 {
			return failedf("attempt_started before each request, and its end", "%d attempts of %s where the server received %s", len(op.Attempts), op.Op, requests(op.ServerRequests))
		}
	}
	return okf("%d, as many as the server received requests; %s", len(ops[0].Attempts), ops[0].Outcome)
}

// checkHang: how long a client waits is its own business, and is what a run
// measures. That it can be ended is not.
func (e *examination) checkHang(ctx context.Context) finding {
	hang, err := scenario.ByName("hang")
	if err != nil {
		return *wrong(err)
	}
	ops, bad := e.measure(ctx, hang.Name)
	if bad != nil {
		return *bad
	}
	op, capMs := ops[0], float64(hang.Cap().Milliseconds())
	switch {
	case op.Outcome == eventlog.Success:
		return failedf("any end but a success", "%s where nothing was answered", ending(op))
	case op.DurationMs < capMs:
		return okf("it ended the call by itself: %s of a budget of %.0f ms", ending(op), op.BudgetMs)
	case slices.Contains(e.can, adapter.CanCancel) && op.DurationMs >= capMs+1e3*endsWithin.Seconds():
		return failedf(fmt.Sprintf("its end within %s, as it claims \"cancel\"", endsWithin), "a call that was left behind after the hard cap's cancel at %.0f ms", capMs)
	}
	return okf("the bench ended the call at its hard cap: %s of a budget of %.0f ms", ending(op), op.BudgetMs)
}

func (e *examination) checkCancel(ctx context.Context) finding {
	ops, bad := e.measure(ctx, "cancel_in_http")
	if bad != nil {
		return *bad
	}
	slowest, bad := cancelled(ops)
	switch {
	case bad != nil:
		return *bad
	case slowest > endsWithin:
		return failedf(fmt.Sprintf("at most %s", endsWithin), "%s from a cancel to its return", lab.Milliseconds(slowest))
	}
	return okf("%d calls returned at most %s after their cancel", len(ops), lab.Milliseconds(slowest))
}

// checkCancelInBackoff: a library whose pause does not notice a cancel is one;
// its adapter still has to hand the cancel on.
func (e *examination) checkCancelInBackoff(ctx context.Context) finding {
	ops, bad := e.measure(ctx, "cancel_in_backoff")
	if bad != nil {
		return *bad
	}
	if len(ops[0].Backoffs) == 0 {
		return finding{verdict: skipped, text: "it made no pause after a 503 that the policy allows it to retry"}
	}
	slowest, bad := cancelled(ops)
	switch {
	case bad != nil:
		return *bad
	case slowest > noticed:
		return okf("%d calls returned up to %s after their cancel: the pause does not notice it", len(ops), lab.Milliseconds(slowest))
	}
	return okf("%d calls returned at most %s after their cancel", len(ops), lab.Milliseconds(slowest))
}

// noticed is how long a pause takes to end, at most, that notices a cancel.
const noticed = 200 * time.Millisecond

// cancelled is the longest time from a cancel to its return.
func cancelled(ops []*timeline.Operation) (slowest time.Duration, bad *finding) {
	for _, op := range ops {
		if (op.Stop == nil || op.Stop.By == timeline.ByDeadline) && outOfTime(op.Outcome, op.Last) {
			return 0, &finding{verdict: skipped, text: "a limit of its own ends calls before their cancel: " + ending(op)}
		}
		if op.Outcome != eventlog.Cancelled || op.Stop == nil {
			f := failedf("cancelled, as its caller cancelled", "%s", ending(op))
			return 0, &f
		}
		slowest = max(slowest, time.Duration((op.Stop.ReturnedMs-op.Stop.RequestedMs)*1e6))
	}
	return slowest, nil
}
