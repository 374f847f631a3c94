package analysis

import (
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// noiseFloors sums up both processes' noise floors for run.json.
func noiseFloors(client, server timeline.Events) map[string]rundir.Noise {
	return map[string]rundir.Noise{"client": noiseFloor(client), "server": noiseFloor(server)}
}

// noiseFloor looks at every sampled deadline once: labserver writes each into
// the log of every experiment that is live.
func noiseFloor(events timeline.Events) rundir.Noise {
	var late []float64
	seen := map[int64]bool{}
	for i := range events.Len() {
		if events.Kind(i) != eventlog.NoiseSampled {
			continue
		}
		if e := events.At(i); !seen[e.DueNs] {
			seen[e.DueNs] = true
			late = append(late, e.LateMs)
		}
	}
	if len(late) == 0 {
		return rundir.Noise{}
	}
	n := rundir.Noise{N: len(late), Max: slices.Max(late)}
	n.Median, _ = timeline.Median(late)
	n.P95, _ = timeline.NearestRank(late, 95)
	n.P99, _ = timeline.NearestRank(late, 99)
	return n
}
