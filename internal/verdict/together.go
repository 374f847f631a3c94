package verdict

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// together is what no single operation of a series shows: what callers of one
// client do to the upstream, which effects stay on the server, and what the
// clients still hold when all is over.
func together(s timeline.Series) []string {
	list := wording.About(s)
	if s.Amplification != nil && s.PeakArrivals != nil {
		alone := ""
		if s.PeakRetryArrivals != nil {
			alone = fmt.Sprintf(", %d of retries alone", *s.PeakRetryArrivals)
		}
		list = append(list, fmt.Sprintf("Requests of all callers of one client together: %s, %g per call; at most %d arrived within 10 ms%s.",
			extent(s.GroupRequests), *s.Amplification, *s.PeakArrivals, alone))
	}
	if c := s.CallersMs; c != nil && c.Most-c.Least > s.MarginMs {
		list = append(list, fmt.Sprintf("Callers of one client waited differently, so that no caller has the median of all: the shortest wait of a group is %.1f ms, the longest %.1f ms (medians).", c.Least, c.Most))
	}
	if c := s.Commits; c != nil {
		list = append(list, fmt.Sprintf("Effects on the server: %d, duplicates among them: %d. Callers told of a success: %d, of a failure although it happened: %d.",
			c.OnServer, c.Duplicates, c.ReportedSuccess, c.ReportedFailureButCommitted))
	}
	if k := s.Leaks; k != nil && k.Goroutines+k.Connections+k.Dials+k.Slots > 0 {
		list = append(list, "200 ms after the last operation a client still held: "+leaked(k)+".")
	}
	return list
}

// extent is the least and the largest count of a tally: "150", "51 to 55".
func extent(tally map[string]int) string {
	keys := wording.Keys(tally, nil)
	least, most := wording.Number(keys[0]), wording.Number(keys[0])
	for _, k := range keys {
		least, most = min(least, wording.Number(k)), max(most, wording.Number(k))
	}
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}
