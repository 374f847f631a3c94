package serve

import (
	"cmp"
	"slices"
	"sync"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// watch keeps the events of a run as they come, so that what is known so far
// can be merged at any moment.
type watch struct {
	mu             sync.Mutex
	client, server []eventlog.Event
	running        map[string]bool // operations without an end
}

func newWatch() *watch { return &watch{running: map[string]bool{}} }

// add may be called concurrently, which is why events can come a little out of
// their order.
func (w *watch) add(side string, e eventlog.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if side == eventlog.ServerSide {
		w.server = append(w.server, e)
		return
	}
	switch e.Kind {
	case eventlog.OperationStarted:
		w.running[e.Op] = true
	case eventlog.OperationFinished:
		delete(w.running, e.Op)
	}
	w.client = append(w.client, e)
}

// present is no event of a log: it says that an operation still runs, so that
// whatever is open in it is drawn up to now.
const present eventlog.Kind = "present"

// merge is the timeline of what has happened until now.
func (w *watch) merge(now int64) *timeline.Run {
	w.mu.Lock()
	client, server := slices.Clone(w.client), slices.Clone(w.server)
	for op := range w.running {
		client = append(client, eventlog.Event{Kind: present, Op: op, TNs: now})
	}
	w.mu.Unlock()
	slices.SortStableFunc(client, func(a, b eventlog.Event) int { return cmp.Compare(a.TNs, b.TNs) })
	for i := range client {
		client[i].Seq = uint64(i + 1)
	}
	return timeline.Merge(timeline.Input{Client: client, Server: server})
}
