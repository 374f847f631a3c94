package chart

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// A success after 1193 ms net of 1000 is no call in time, however wide the margin.
func TestUnsureOperation(t *testing.T) {
	o := &timeline.Operation{Op: "o", Label: "mine", Variant: "mine", Client: eventlog.ExecClient, Finished: true, Outcome: eventlog.Success, Promise: timeline.Kept, InBudget: true,
		BudgetMs: 1000, DurationMs: 3657, StartupMs: new(2464.0), NetMs: new(1193.0), Overshoot: 193}
	b := newBlock(Subject{Operation: o}, coarse)
	if mark := b.Lanes[0].Marks[0].Label; b.Promise != wording.Unsure || mark != "too close to tell" {
		t.Errorf("promise %s, mark %q", b.Promise, mark)
	}
	want := "Nobody can tell whether the call was in time: it took 1193 ms of 1000, net of a start-up of 2464.0 ms (measured with the same command under healthy), and the length of that start-up decides."
	if got := Sentence(o); got != want {
		t.Errorf("%q", got)
	}
}
