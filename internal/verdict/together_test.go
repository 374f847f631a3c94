package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

func TestTogether(t *testing.T) {
	if got := together(deadlineSeries(1000)); got != nil {
		t.Errorf("%q", got)
	}
	rate, peak, retries := 2.96, 50, 44
	s := timeline.Series{MarginMs: 5, CallersMs: &timeline.CallersMs{Least: 175, Most: 300}, Amplification: &rate, PeakArrivals: &peak, PeakRetryArrivals: &retries, GroupRequests: map[string]int{"150": 7, "144": 1},
		Commits: &timeline.Commits{OnServer: 270, ReportedSuccess: 1, ReportedFailureButCommitted: 89, Duplicates: 180}, Leaks: probed(timeline.Leaks{Dials: 20, Goroutines: 20, Handlers: 1})}
	want := []string{
		"Requests of all callers of one client together: 144 to 150, 2.96 per call; at most 50 arrived within 10 ms, 44 of retries alone.",
		"Callers of one client waited differently, so that no caller has the median of all: the shortest wait of a group is 175.0 ms, the longest 300.0 ms (medians).",
		"Effects on the server: 270, duplicates among them: 180. Callers told of a success: 1, of a failure although it happened: 89.",
		"200 ms after the last operation a client still held: goroutines 20, dials 20, handlers 1, probe success after 2.50 ms.",
	}
	if diff := cmp.Diff(want, together(s)); diff != "" {
		t.Error(diff)
	}
	s.CallersMs = &timeline.CallersMs{Least: 299, Most: 304}
	s.GroupRequests, s.Commits, s.Leaks = map[string]int{"55": 9}, nil, probed(timeline.Leaks{Handlers: 1})
	if diff := cmp.Diff([]string{"Requests of all callers of one client together: 55, 2.96 per call; at most 50 arrived within 10 ms, 44 of retries alone."}, together(s)); diff != "" {
		t.Error(diff)
	}
}
