package verdict

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

func probed(k timeline.Leaks) *timeline.Leaks {
	ms := 2.5
	k.Probe, k.ProbeMs = eventlog.Success, &ms
	return &k
}

// What is not expected must not leak; what is expected must.
func TestLeaks(t *testing.T) {
	probe, most := eventlog.DeadlineExceeded, 200.
	for _, c := range []struct {
		name    string
		have    *timeline.Leaks
		want    *scenario.Leaks
		verdict Verdict
		reason  string
	}{
		{"nothing", probed(timeline.Leaks{}), nil, Pass, ""},
		{"the server's own", probed(timeline.Leaks{Handlers: 1, ServerConnections: 1}), nil, Pass, ""},
		{"a slot", probed(timeline.Leaks{Slots: 1}), nil, Fail, "slots are 1, expected 0"},
		{"goroutines", probed(timeline.Leaks{Goroutines: 2, Connections: 1}), nil, Fail, "goroutines are 2, expected 0; connections are 1, expected 0"},
		{"dials", probed(timeline.Leaks{Goroutines: 40, Dials: 20}), &scenario.Leaks{Dials: exactly(20)}, Pass, ""},
		{"fewer dials", probed(timeline.Leaks{Dials: 19}), &scenario.Leaks{Dials: exactly(20)}, Fail, "dials are 19, expected 20"},
		{"busy handlers", probed(timeline.Leaks{Handlers: 3}), &scenario.Leaks{Handlers: between(0, 2)}, Fail, "handlers are 3, expected 0 to 2"},
		{"quick probe", probed(timeline.Leaks{}), &scenario.Leaks{ProbeMs: &scenario.Duration{MaxMs: &most}}, Pass, ""},
		{"wedged", &timeline.Leaks{Slots: 1, Probe: probe}, &scenario.Leaks{Slots: exactly(1), Probe: &probe}, Pass, ""},
		{"no end of the probe", &timeline.Leaks{}, nil, Inconclusive, "the run ended before the probe did"},
		{"a slot, and no end of the probe", &timeline.Leaks{Slots: 1}, nil, Fail, "slots are 1, expected 0"},
		{"the probe failed", &timeline.Leaks{Probe: eventlog.ConnectError}, nil, Fail, `the probe's outcome is "connect_error", expected success`},
		{"not counted", nil, &scenario.Leaks{Dials: exactly(20)}, Inconclusive, "the run ended before its clients could be looked at"},
	} {
		s := deadlineSeries(1000)
		s.Leaks = c.have
		got := check(t, judged(s, scenario.Expect{Leaks: c.want}), "leaks")
		if got.Verdict != c.verdict || got.Reason != c.reason {
			t.Errorf("%s: %s, %q; want %s, %q", c.name, got.Verdict, got.Reason, c.verdict, c.reason)
		}
	}
}

// A log in which nobody counted leaks is judged as before; a noisy machine
// proves no leak.
func TestLeaksUnknown(t *testing.T) {
	for _, c := range judged(deadlineSeries(1000), expects(eventlog.DeadlineExceeded)).Checks {
		if c.Requirement == "leaks" {
			t.Errorf("%+v", c)
		}
	}
	s, p95 := deadlineSeries(1000), 9.
	s.Leaks, s.NoiseFloorMs = probed(timeline.Leaks{Goroutines: 1}), &timeline.Quantiles{P95: &p95}
	if got := check(t, judged(s, expects(eventlog.DeadlineExceeded)), "leaks"); got.Verdict != Inconclusive {
		t.Errorf("%+v", got)
	}
}

// Groups and effects are exact.
func TestGroupChecks(t *testing.T) {
	peak := 50
	s := deadlineSeries(1000)
	s.GroupRequests, s.PeakArrivals, s.CommitsOfOperation = map[string]int{"150": 2, "149": 1}, &peak, map[string]int{"3": 90}
	got := judged(s, scenario.Expect{GroupRequests: exactly(150), PeakArrivals: between(40, 50), PeakRetryArrivals: exactly(5), Commits: exactly(3)})
	for requirement, want := range map[string]Verdict{"group_requests": Fail, "peak_arrivals": Pass, "peak_retry_arrivals": Inconclusive, "commits": Pass} {
		if c := check(t, got, requirement); c.Verdict != want {
			t.Errorf("%+v, want %s", c, want)
		}
	}
	s.CommitsOfOperation = nil
	if c := check(t, judged(s, scenario.Expect{Commits: exactly(0)}), "commits"); c.Verdict != Pass {
		t.Errorf("%+v", c)
	}
}
