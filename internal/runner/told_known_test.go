package runner_test

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// The same of the clients that the bench knows, on the wire: one operation of
// each series of the published runs, that which stands for it.
func TestWhatIsToldOfKnownClients(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all published logs")
	}
	for _, name := range []string{"clients", "reference"} {
		t.Run(name, func(t *testing.T) {
			run := published(t, "../../results/"+name)
			for _, s := range timeline.Summarize(run, nil) {
				if o := run.Operation(s.Representative); o != nil {
					check(t, chart.Subject{Operation: o, Journal: run.Entries(o.Op)})
				}
			}
		})
	}
}

func published(t *testing.T, path string) *timeline.Run {
	t.Helper()
	dir, err := rundir.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	of, err := dir.ReadRun()
	if err != nil {
		t.Fatal(err)
	}
	in := timeline.Input{OffsetNs: of.Clock.OffsetNs, BoundNs: of.Clock.BoundNs, ClientLog: packed(t, dir, rundir.ClientLog), ServerLog: packed(t, dir, rundir.ServerLog)}
	return timeline.Merge(in)
}

func packed(t *testing.T, dir *rundir.Dir, name string) *eventlog.Packed {
	t.Helper()
	f, err := dir.OpenLog(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := &eventlog.Packed{}
	if _, err := eventlog.ReadEach(name, f, p.Add); err != nil {
		t.Fatal(err)
	}
	return p
}
