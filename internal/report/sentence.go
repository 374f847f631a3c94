package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Sentence says in one sentence what an operation shows, chosen from its
// figures: the most misleading metric first, then what it cost.
func Sentence(o *timeline.Operation) string {
	switch {
	case !o.Finished:
		return "The operation never came to an end in the log."
	case o.ClientBroke != "":
		return "The client broke, so that this call proves nothing: " + o.ClientBroke + "."
	case o.Promise == timeline.Unbounded:
		return fmt.Sprintf("Nothing in this client ended the call: only the bench's hard cap did, after %s ms of %s.", msText(o.DurationMs), msText(o.BudgetMs))
	case o.Late:
		return lateSentence(o)
	case o.Unsure():
		return fmt.Sprintf("Nobody can tell whether the call was in time: it took %s ms of %s%s, and the length of that start-up decides.",
			msText(o.JudgedMs()), msText(o.BudgetMs), netOfOwn(o))
	case o.Promise == timeline.CancelledByCaller:
		return cancelSentence(o)
	case o.Promise == timeline.Kept:
		return fmt.Sprintf("The caller had its answer after %s ms of %s%s%s.", msText(o.JudgedMs()), msText(o.BudgetMs), netOfOwn(o), onAttempt(o))
	}
	return failedSentence(o)
}

// lateSentence names the metric that hides most of the wait, if one shows less
// than half of it.
func lateSentence(o *timeline.Operation) string {
	waited := fmt.Sprintf("the caller waited %s ms of %s%s", msText(o.JudgedMs()), msText(o.BudgetMs), netOfOwn(o))
	switch {
	case blind(o):
		return fmt.Sprintf("Nothing bounded the call as a whole in time: %s, and the server received %s.", waited, plural(o.ServerRequests, "request"))
	case hides(o.HTTPTimerMs, o.DurationMs):
		return fmt.Sprintf("A timer around the HTTP call says %s ms; %s.", msText(*o.HTTPTimerMs), waited)
	case hides(o.ToHeadersMs, o.DurationMs):
		return fmt.Sprintf("A timer that stops at the headers says %s ms; %s.", msText(*o.ToHeadersMs), waited)
	case o.Where.ConnectionWait > o.DurationMs/2:
		return fmt.Sprintf("The server never saw a wait, and answered in %s ms; %s, %s of them in the connection pool's queue.",
			msText(o.Where.Server), waited, msText(o.Where.ConnectionWait))
	case len(o.Attempts) > 1:
		return fmt.Sprintf("No attempt took longer than %s ms; %d attempts and the pauses between them add up: %s.",
			msText(longestAttempt(o)), len(o.Attempts), waited)
	}
	return fmt.Sprintf("Nothing bounded the call as a whole: %s.", waited)
}

// netOfOwn follows a duration that is net of a start-up.
func netOfOwn(o *timeline.Operation) string {
	if o.NetMs == nil {
		return ""
	}
	if o.StartupCut {
		return fmt.Sprintf(", net of the %.1f ms that its process spent out of the server's sight (a start-up under healthy took longer)", *o.StartupMs)
	}
	return ", " + timeline.NetOf(*o.StartupMs)
}

func hides(metric *float64, duration float64) bool { return metric != nil && *metric < duration/2 }

func longestAttempt(o *timeline.Operation) float64 {
	var longest float64
	for _, a := range o.Attempts {
		longest = max(longest, a.ToMs-a.FromMs)
	}
	return longest
}

// onAttempt says what a success in budget still had to go through.
func onAttempt(o *timeline.Operation) string {
	switch n := len(o.Attempts); {
	case o.Where.Admission > o.DurationMs/2:
		return fmt.Sprintf(", %s of them in the queue for a slot", msText(o.Where.Admission))
	case o.Where.ConnectionWait > o.DurationMs/2:
		return fmt.Sprintf(", %s of them in the connection pool's queue", msText(o.Where.ConnectionWait))
	case n > 1:
		return fmt.Sprintf(", on attempt %d", n)
	}
	return ""
}

func cancelSentence(o *timeline.Operation) string {
	back := o.DurationMs
	if o.Stop != nil {
		back = o.Stop.ReturnedMs - o.Stop.RequestedMs
	}
	text := fmt.Sprintf("The caller was free %s ms after it cancelled", msText(back))
	for _, p := range o.Backoffs {
		if !p.Finished {
			return text + fmt.Sprintf("; %s ms of the pause were not slept, and no further request was sent.", msText(p.PlannedMs-(p.ToMs-p.FromMs)))
		}
	}
	return text + afterlife(o) + "."
}

// afterlife is what the server did for a client that had left.
func afterlife(o *timeline.Operation) string {
	var longest float64
	for _, e := range exchanges(o) {
		longest = max(longest, e.afterMs())
	}
	switch {
	case math.IsInf(longest, 1):
		return "; the server was still at work when the log ended"
	case longest > noticeableMs:
		return fmt.Sprintf("; the server worked on for %s ms for nobody", msText(longest))
	}
	return ""
}

// failedSentence is for a failure within the budget: the promise was kept, the
// call was not.
func failedSentence(o *timeline.Operation) string {
	head := fmt.Sprintf("The caller had its error (%s) after %s ms of %s", o.Outcome, msText(o.JudgedMs()), msText(o.BudgetMs))
	if o.Outcome == eventlog.DeadlineExceeded {
		head = fmt.Sprintf("The deadline freed the caller after %s ms of %s", msText(o.JudgedMs()), msText(o.BudgetMs))
	}
	head += netOfOwn(o)
	switch {
	case o.Outcome == eventlog.DeadlineExceeded && o.ServerRequests == 0:
		return head + "; not one request was sent."
	case o.WasteMs != nil && *o.WasteMs >= 1:
		return head + fmt.Sprintf("; the last %s ms were a pause after which no attempt could fit.", msText(*o.WasteMs))
	}
	return head + afterlife(o) + onlyRequests(o) + "." + saidItself(o)
}

// saidItself is what a client in another process said of an error for which
// nothing that the bench did accounts.
func saidItself(o *timeline.Operation) string {
	if o.Client == "" || o.Error == "" || o.Outcome != eventlog.ClientError && o.Outcome != eventlog.InvalidData {
		return ""
	}
	return " Its error: " + plain(strings.Join(strings.Fields(o.Error), " "))
}

func onlyRequests(o *timeline.Operation) string {
	if o.ServerRequests > 1 {
		return fmt.Sprintf("; it cost the server %d requests", o.ServerRequests)
	}
	return ""
}
