package compare

import (
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// perProcess makes every operation of a run one of a client whose process takes
// startup ms to start, and which does not report its attempts.
func perProcess(r *Run, startup float64) *Run {
	for _, op := range r.Operations {
		net := op.DurationMs
		op.Client, op.Attempts, op.StartupMs, op.NetMs = eventlog.ExecClient, nil, &startup, &net
		op.DurationMs += startup
	}
	for i := range r.Series {
		s := &r.Series[i]
		s.Client, s.StartupMs = eventlog.ExecClient, &timeline.Quantiles{Median: startup, Max: startup}
		s.Unreported = []string{"attempts"}
	}
	return r
}

// A process that takes 40 ms longer to start is no regression of the client.
func TestStartupIsNoRegression(t *testing.T) {
	rnd := seeded()
	answer := shape{n: 90, ms: 300, outcome: eventlog.Success, promise: timeline.Kept, attempts: 1, requests: 1}
	c := Compare(perProcess(recording(rnd, answer), 20), perProcess(recording(rnd, answer), 60), usual)
	s := only(t, c)
	if c.Verdict != Same || s.Times[0].Old.Median > 305 || s.Times[0].New.Median > 305 {
		t.Errorf("verdict %s, %+v", c.Verdict, s.Times)
	}
	if s.Attempts != nil || s.ServerRequests == nil {
		t.Errorf("attempts %v, requests %v", s.Attempts, s.ServerRequests)
	}
	notes := strings.Join(c.Notes, "\n")
	for _, want := range []string{"old D operation_deadline: times are net of a start-up of up to 20.0 ms", "new D operation_deadline: times are net of a start-up of up to 60.0 ms"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note %q in %q", want, notes)
		}
	}
}

// What cannot be measured on one side is had by the other alone, with the reason.
func TestNotApplicableOnOneSide(t *testing.T) {
	rnd := seeded()
	answer := shape{n: 90, ms: 300, outcome: eventlog.Success, promise: timeline.Kept, attempts: 1, requests: 1}
	measured, not := recording(rnd, answer), recording(rnd)
	not.Series[0].NotApplicable = "the client has no slots"
	reason := "scenario D operation_deadline (not applicable there: the client has no slots)"
	if c := Compare(measured, not, usual); len(c.Series) != 0 || joined(c.OnlyOld) != reason || len(c.OnlyNew) != 0 {
		t.Errorf("only old %q, only new %q", joined(c.OnlyOld), joined(c.OnlyNew))
	}
	if c := Compare(not, measured, usual); len(c.Series) != 0 || joined(c.OnlyNew) != reason || len(c.OnlyOld) != 0 {
		t.Errorf("only old %q, only new %q", joined(c.OnlyOld), joined(c.OnlyNew))
	}
	if c := Compare(not, not, usual); len(c.Series)+len(c.OnlyOld)+len(c.OnlyNew) != 0 {
		t.Errorf("%+v", c)
	}
}

// What start-ups vary by is no difference of the client.
func TestMarginOfStartups(t *testing.T) {
	rnd := seeded()
	answer := func(ms float64) *Run {
		r := perProcess(recording(rnd, shape{n: 90, ms: ms, outcome: eventlog.Success, promise: timeline.Kept, attempts: 1, requests: 1}), 20)
		p95 := 60.0
		r.Series[0].StartupMs.P95 = &p95
		return r
	}
	got := only(t, Compare(answer(300), answer(325), usual)).Times[0]
	if got.Verdict != Same || got.Margin != (Margin{Ms: 40, From: "startup"}) {
		t.Errorf("%+v", got)
	}
}
