package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/fixture/inputs"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// shippedLadder is the literal ladder with the files it came from, one of them
// changed since, another never run.
func shippedLadder() WaitsInput {
	in := WaitsInput{Input: inputs.Ladder(), Dir: "results/ladder", Changed: []string{"idle_race"}}
	amplification, peak := 3.0, 50
	trickle := &in.Summary.Series[2]
	trickle.Amplification, trickle.PeakArrivals, trickle.PeakRetryArrivals = &amplification, &peak, &peak
	trickle.Commits = &timeline.Commits{OnServer: 3, ReportedSuccess: 1, ReportedFailureButCommitted: 1, Duplicates: 1}
	trickle.Leaks = &timeline.Leaks{Dials: 20, Slots: 1}
	in.Summary.Series[3].Leaks = &timeline.Leaks{Probe: "success"}
	in.Summary.Series[0].Planned = 500
	in.Run = &rundir.Run{Environment: rundir.Environment{Go: "go1.26", OS: "linux", Arch: "amd64", CPUs: 2}}
	for _, s := range in.Scenarios[:3] {
		now := *s
		now.File = "scenarios/" + s.Rung + "/" + s.Name + ".yaml"
		in.Shipped = append(in.Shipped, &now)
	}
	in.Shipped[1].Lesson = "What its file says | now."
	in.Shipped = append(in.Shipped, &scenario.Scenario{Name: "never_run"})
	return in
}

func TestWaits(t *testing.T) {
	var b bytes.Buffer
	if err := Waits(&b, shippedLadder()); err != nil {
		t.Fatal(err)
	}
	fixture.Golden(t, "waits.golden", b.Bytes())
}

// What a call looks like is said only where it is not the plain one.
func TestCallText(t *testing.T) {
	s := &scenario.Scenario{Method: "GET"}
	if got := wording.CallText(s); got != "" {
		t.Errorf("a plain GET is %q", got)
	}
	own := 300.0
	s = &scenario.Scenario{Method: "POST", BodyBytes: 8 << 20, IdempotencyKey: true, CallerDeadlineMs: &own, Callers: &scenario.Callers{Count: 50, Share: []string{"transport", "slots"}, StartGapMs: 5}}
	if got, want := wording.CallText(s), "POST with a body of 8388608 bytes and an idempotency key; the caller's own deadline 300 ms; 50 callers of one client, 5 ms apart, sharing transport and slots"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	expired := 0.0
	s = &scenario.Scenario{Method: "GET", CallerDeadlineMs: &expired, Callers: &scenario.Callers{Count: 2}}
	if got, want := wording.CallText(s), "the caller's own deadline has passed on arrival; 2 callers of one client at once"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Links lead to a heading of the page.
func TestWaitsLinks(t *testing.T) {
	var b bytes.Buffer
	if err := Waits(&b, shippedLadder()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"semaphore_wait", "body_trickle", "idle_race", "cancel_mine"} {
		if !strings.Contains(b.String(), "](#"+name+")") || !strings.Contains(b.String(), "\n### "+name+"\n") {
			t.Errorf("%s has no link or no heading", name)
		}
	}
}

// A run that lacks everything is a page all the same.
func TestWaitsOfNothing(t *testing.T) {
	var b bytes.Buffer
	in := WaitsInput{Input: view.Input{Summary: &verdict.Summary{}}, Shipped: []*scenario.Scenario{{Name: "never_run"}}}
	if err := Waits(&b, in); err != nil || !strings.Contains(b.String(), "## Not measured in this run\n\nnever_run\n") {
		t.Errorf("%v\n%s", err, b.String())
	}
	if err := Waits(inputs.Full{}, in); err == nil {
		t.Error("a write error was swallowed")
	}
}
