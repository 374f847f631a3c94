package verdict

import (
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// leak is one count of what clients still hold, and what is allowed of it.
type leak struct {
	name string
	have int
	want *scenario.Count // nil = none
	free bool            // nil means not judged
}

// leaks asks whether clients gave back what they took, and still serve. A
// series in which nobody counted is judged only where something is expected.
func (e evidence) leaks(want *scenario.Leaks) []Check {
	k := e.series.Leaks
	c := Check{Requirement: "leaks", Expected: leaksText(want)}
	switch {
	case k == nil && want == nil:
		return nil
	case k == nil:
		c.Verdict, c.Actual, c.Reason = Inconclusive, "not counted", "the run ended before its clients could be looked at"
		return []Check{c}
	}
	c.Actual = leaked(k)
	c.Verdict, c.Reason = Pass, ""
	if k.Probe == "" {
		c.Verdict, c.Reason = Inconclusive, "the run ended before the probe did"
	}
	if wrong := wrongLeaks(k, want); len(wrong) > 0 {
		c.Verdict, c.Reason = Fail, strings.Join(wrong, "; ")
		if floor := wording.FloorP95(e.series.NoiseFloorMs); floor > quietMs {
			c.Verdict, c.Reason = Inconclusive, fmt.Sprintf("%s, but deadlines on this machine were %.2f ms late (p95): run it again when the machine is quiet", c.Reason, floor)
		}
	}
	return []Check{c}
}

func leaksOf(k *timeline.Leaks, want *scenario.Leaks) []leak {
	if want == nil {
		want = &scenario.Leaks{}
	}
	others := want.Connections != nil || want.Dials != nil || want.Slots != nil
	return []leak{
		{"goroutines", k.Goroutines, want.Goroutines, others},
		{"connections", k.Connections, want.Connections, false},
		{"dials", k.Dials, want.Dials, false},
		{"slots", k.Slots, want.Slots, false},
		{"handlers", k.Handlers, want.Handlers, true},
		{"server_connections", k.ServerConnections, want.ServerConnections, true},
	}
}

// wrongLeaks says what is not as expected, one text each.
func wrongLeaks(k *timeline.Leaks, want *scenario.Leaks) (wrong []string) {
	for _, l := range leaksOf(k, want) {
		switch {
		case l.want != nil && !l.want.Holds(l.have):
			wrong = append(wrong, fmt.Sprintf("%s are %d, expected %s", l.name, l.have, countText(*l.want)))
		case l.want == nil && !l.free && l.have > 0:
			wrong = append(wrong, fmt.Sprintf("%s are %d, expected 0", l.name, l.have))
		}
	}
	return append(wrong, wrongProbe(k, want)...)
}

func wrongProbe(k *timeline.Leaks, want *scenario.Leaks) (wrong []string) {
	ends := probeOf(want)
	if k.Probe != "" && k.Probe != ends {
		wrong = append(wrong, fmt.Sprintf("the probe's outcome is %q, expected %s", k.Probe, ends))
	}
	if want == nil || want.ProbeMs == nil || k.ProbeMs == nil {
		return wrong
	}
	w := newWindow(*want.ProbeMs, slack{earlyMs, workMs}, nil)
	if *k.ProbeMs < w.low || *k.ProbeMs > w.high {
		wrong = append(wrong, fmt.Sprintf("the probe took %.2f ms, expected %s", *k.ProbeMs, windowText(*want.ProbeMs, w)))
	}
	return wrong
}

func probeOf(want *scenario.Leaks) eventlog.Outcome {
	if want == nil || want.Probe == nil {
		return eventlog.Success
	}
	return *want.Probe
}

func leaksText(want *scenario.Leaks) string {
	var parts []string
	for _, l := range leaksOf(&timeline.Leaks{}, want) {
		if l.want != nil {
			parts = append(parts, l.name+" "+countText(*l.want))
		}
	}
	if len(parts) == 0 {
		parts = []string{"none"}
	}
	return strings.Join(append(parts, "probe "+string(probeOf(want))), ", ")
}

// leaked is everything that was counted and not 0.
func leaked(k *timeline.Leaks) string {
	var parts []string
	for _, l := range leaksOf(k, nil) {
		if l.have > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", l.name, l.have))
		}
	}
	if len(parts) == 0 {
		parts = []string{"none"}
	}
	if k.ProbeMs == nil {
		return strings.Join(append(parts, "probe without an end"), ", ")
	}
	return fmt.Sprintf("%s, probe %s after %.2f ms", strings.Join(parts, ", "), k.Probe, *k.ProbeMs)
}

// groups are the checks on what callers of one client do together, and on the
// effects that stay.
func (e evidence) groups(want scenario.Expect) []Check {
	var list []Check
	if want.Commits != nil {
		have := e.series.CommitsOfOperation
		if have == nil {
			have = map[string]int{"0": e.series.N}
		}
		list = append(list, e.count("commits", *want.Commits, have))
	}
	if want.GroupRequests != nil {
		list = append(list, e.groupRequests(*want.GroupRequests))
	}
	for _, peak := range []struct {
		name string
		want *scenario.Count
		have *int
	}{{"peak_arrivals", want.PeakArrivals, e.series.PeakArrivals}, {"peak_retry_arrivals", want.PeakRetryArrivals, e.series.PeakRetryArrivals}} {
		if peak.want != nil {
			list = append(list, e.peak(peak.name, *peak.want, peak.have))
		}
	}
	return list
}

// noGroup is why nothing is known of groups.
const noGroup = "no group of which every caller is valid"

func (e evidence) groupRequests(want scenario.Count) Check {
	have := e.series.GroupRequests
	if have == nil {
		return Check{Requirement: "group_requests", Expected: countText(want), Actual: "no samples", Verdict: Inconclusive, Reason: noGroup}
	}
	c := e.count("group_requests", want, have)
	c.Actual = wording.Mix(have, nil)
	return c
}

func (e evidence) peak(name string, want scenario.Count, have *int) Check {
	c := Check{Requirement: name, Expected: countText(want), Actual: "no samples", Verdict: Inconclusive, Reason: noGroup}
	if have == nil {
		return c
	}
	c.Actual, c.Reason = fmt.Sprint(*have), ""
	return e.verdict(c, want.Holds(*have))
}
