package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/wording"
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
		return fmt.Sprintf("Nothing in this client ended the call: only the bench's hard cap did, after %s ms of %s.", wording.MsText(o.DurationMs), wording.MsText(o.BudgetMs))
	case o.Late:
		return lateSentence(o)
	case o.Unsure():
		return fmt.Sprintf("Nobody can tell whether the call was in time: it took %s ms of %s%s, and the length of that start-up decides.",
			wording.MsText(o.JudgedMs()), wording.MsText(o.BudgetMs), NetOfOwn(o))
	case o.Promise == timeline.CancelledByCaller:
		return cancelSentence(o)
	case o.Promise == timeline.Kept:
		return fmt.Sprintf("The caller had its answer after %s ms of %s%s%s.", wording.MsText(o.JudgedMs()), wording.MsText(o.BudgetMs), NetOfOwn(o), onAttempt(o))
	}
	return failedSentence(o)
}

// lateSentence names the deadline that came or acted too late, else the metric
// that hides most of the wait, if one shows less than half of it.
func lateSentence(o *timeline.Operation) string {
	waited := fmt.Sprintf("the caller waited %s ms of %s%s", wording.MsText(o.JudgedMs()), wording.MsText(o.BudgetMs), NetOfOwn(o))
	switch {
	case blind(o):
		return fmt.Sprintf("Nothing ended the call in time: %s, and the server received %s.", waited, textui.CountOrNo(o.ServerRequests, "request"))
	case o.Stop != nil && o.Stop.By == timeline.ByDeadline:
		return deadlineSentence(o.Stop) + waited + "."
	case hides(o.HTTPTimerMs, o.DurationMs):
		return fmt.Sprintf("A timer around %s says %s ms; %s.", calls(len(o.Attempts)), wording.MsText(*o.HTTPTimerMs), waited)
	case hides(o.ToHeadersMs, o.DurationMs):
		return fmt.Sprintf("A timer that stops at the headers says %s ms; %s.", wording.MsText(*o.ToHeadersMs), waited)
	case o.Where.ConnectionWait > o.DurationMs/2:
		return fmt.Sprintf("T%s, %s of them for a connection; %s.", waited[1:], wording.MsText(o.Where.ConnectionWait), unseenWait(o))
	case len(o.Attempts) > 1 && longestAttempt(o) <= o.BudgetMs:
		return fmt.Sprintf("No attempt took longer than %s ms; %s add up: %s.", wording.MsText(longestAttempt(o)), addends(o), waited)
	}
	return fmt.Sprintf("Nothing ended the call in time: %s.", waited)
}

// deadlineSentence tells a deadline that came too late from one that the client
// did not obey at once.
func deadlineSentence(s *timeline.Stop) string {
	fired := fmt.Sprintf("The client's deadline fired after %s ms", wording.MsText(s.RequestedMs))
	if on := s.ReturnedMs - s.RequestedMs; on > noticeableMs {
		fired += fmt.Sprintf(", and the client went on for %s ms", wording.MsText(on))
	}
	return fired + ": "
}

func calls(attempts int) string {
	if attempts == 1 {
		return "the HTTP call"
	}
	return "the HTTP calls"
}

// unseenWait is what the server had to do with a wait for a connection.
func unseenWait(o *timeline.Operation) string {
	switch n := len(o.Attempts); {
	case o.ServerRequests == 0:
		return "no request reached the server"
	case n == 1 && o.Attempts[0].HeadersMs != nil:
		return fmt.Sprintf("the server never saw that wait, and answered in %s ms", wording.MsText(o.Where.Server))
	}
	return "the server never saw that wait"
}

// addends are what the caller's wait was made of.
func addends(o *timeline.Operation) string {
	parts := []string{textui.CountOrNo(len(o.Attempts), "attempt")}
	if n := len(o.Backoffs); n > 0 {
		parts = append(parts, textui.CountOrNo(n, "pause"))
	}
	return strings.Join(parts, " and ")
}

// NetOfOwn follows a duration that is net of a start-up.
func NetOfOwn(o *timeline.Operation) string {
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
		return fmt.Sprintf(", %s of them in the queue for a slot", wording.MsText(o.Where.Admission))
	case o.Where.ConnectionWait > o.DurationMs/2:
		return fmt.Sprintf(", %s of them for a connection", wording.MsText(o.Where.ConnectionWait))
	case n > 1 && !slices.ContainsFunc(o.Attempts[:n-1], complete) && complete(o.Attempts[n-1]):
		return fmt.Sprintf(", on attempt %d", n)
	case n > 1:
		return fmt.Sprintf(", with %d attempts", n)
	}
	return ""
}

// complete tells whether an attempt ended with an answer of success.
func complete(a timeline.Attempt) bool {
	return a.End == eventlog.AttemptFinished && (a.Status == 0 || a.Status/100 == 2)
}

func cancelSentence(o *timeline.Operation) string {
	if o.Stop == nil || o.Stop.By != timeline.ByCancel {
		return fmt.Sprintf("The client told its caller of a cancel after %s ms, although the caller had not cancelled.", wording.MsText(o.DurationMs))
	}
	text := fmt.Sprintf("The caller was free %s ms after it cancelled", wording.MsText(o.Stop.ReturnedMs-o.Stop.RequestedMs))
	for _, p := range o.Backoffs {
		if !p.Finished && p.ToMs >= o.Stop.RequestedMs {
			return text + fmt.Sprintf("; %s ms of the pause were not slept%s.", wording.MsText(p.PlannedMs-(p.ToMs-p.FromMs)), requestsAfter(o, p.ToMs))
		}
	}
	return text + afterlife(o) + "."
}

// requestsAfter tells whether anything was sent after a pause that was cut short.
func requestsAfter(o *timeline.Operation, ms float64) string {
	n := 0
	for _, a := range o.Attempts {
		if a.FromMs >= ms {
			n++
		}
	}
	if n == 0 {
		return ", and no further request was sent"
	}
	return fmt.Sprintf(", but the client made %s after it", textui.CountOrNo(n, "attempt"))
}

// afterlife is what the server did for a client that had left.
func afterlife(o *timeline.Operation) string {
	var longest float64
	for _, e := range Exchanges(o) {
		longest = max(longest, e.afterMs())
	}
	switch {
	case math.IsInf(longest, 1):
		return "; the server was still at work when the log ended"
	case longest > noticeableMs:
		return fmt.Sprintf("; the server worked on for %s ms for nobody", wording.MsText(longest))
	}
	return ""
}

// failedSentence is for a failure within the budget: the promise was kept, the
// call was not.
func failedSentence(o *timeline.Operation) string {
	head := fmt.Sprintf("The caller had its error (%s) after %s ms of %s", o.Outcome, wording.MsText(o.JudgedMs()), wording.MsText(o.BudgetMs))
	if o.Outcome == eventlog.DeadlineExceeded && o.Stop != nil && o.Stop.By == timeline.ByDeadline {
		head = fmt.Sprintf("The deadline freed the caller after %s ms of %s", wording.MsText(o.JudgedMs()), wording.MsText(o.BudgetMs))
	}
	head += NetOfOwn(o)
	switch {
	case o.Outcome == eventlog.DeadlineExceeded && o.ServerRequests == 0:
		return head + "; no request reached the server."
	case o.WasteMs != nil && *o.WasteMs >= 1:
		return head + fmt.Sprintf("; the last %s ms were a pause after which no attempt could fit.", wording.MsText(*o.WasteMs))
	}
	return head + afterlife(o) + onlyRequests(o) + "." + saidItself(o)
}

// saidItself is what a client in another process said of an error for which
// nothing that the bench did accounts.
func saidItself(o *timeline.Operation) string {
	if o.Client == "" || o.Error == "" || o.Outcome != eventlog.ClientError && o.Outcome != eventlog.InvalidData {
		return ""
	}
	return " Its error: " + textui.Plain(strings.Join(strings.Fields(o.Error), " "))
}

func onlyRequests(o *timeline.Operation) string {
	if o.ServerRequests > 1 {
		return fmt.Sprintf("; it cost the server %d requests", o.ServerRequests)
	}
	return ""
}
