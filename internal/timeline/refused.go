package timeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// refused are the requests of a scenario that named no operation of the run:
// the server answered each with an error and served none, so that they are in no
// operation's figures. A client that changes its URL makes such.
type refused struct {
	requests int
	paths    []string // the first mostPaths of them, each once, quoted
	more     bool     // there were others
}

const (
	mostPaths   = 3
	longestPath = 60 // characters
)

// notRegistered is the status of what nobody registered.
const notRegistered = 599

// isRefused tells a request that was refused from an event of an operation that
// the client's log lacks: no part of an exchange is one.
func isRefused(events Events, at int) bool {
	return events.Kind(at) == eventlog.Unscripted && events.At(at).Exchange == 0
}

// countRefused collects them by scenario. One without an id is told from what is
// wrong with an operation's own request by its status.
func (r *Run) countRefused() {
	r.refused = map[string]*refused{}
	for _, s := range r.server {
		for _, at := range s.order {
			if !isRefused(r.from[server], int(at)) {
				continue
			}
			e := r.from[server].At(int(at))
			if _, known := r.index[e.Op]; known || e.Op == "" && e.Status != notRegistered {
				continue
			}
			name := r.scenarioOf(s)
			if r.refused[name] == nil {
				r.refused[name] = &refused{}
			}
			r.refused[name].add(e)
		}
	}
}

// Refused is how many requests of a scenario named no operation of the run and
// were answered with an error.
func (r *Run) Refused(scenario string) int {
	if f := r.refused[scenario]; f != nil {
		return f.requests
	}
	return 0
}

func (f *refused) add(e eventlog.Event) {
	f.requests++
	path := "/op/" + e.Op + "/"
	if e.Op == "" {
		path, _, _ = strings.Cut(e.Error, ": expected ")
	}
	if runes := []rune(path); len(runes) > longestPath {
		path = string(runes[:longestPath]) + "…"
	}
	path = fmt.Sprintf("%q", path)
	switch {
	case slices.Contains(f.paths, path):
	case len(f.paths) < mostPaths:
		f.paths = append(f.paths, path)
	default:
		f.more = true
	}
}

// warning is one sentence; empty if there were none.
func (f *refused) warning() string {
	if f == nil {
		return ""
	}
	paths := strings.Join(f.paths, ", ")
	if f.more {
		paths += " and others"
	}
	noun := map[bool]string{true: "request was", false: "requests were"}[f.requests == 1]
	return fmt.Sprintf("%d %s refused, for no operation of the run: %s; does a client change its URL?", f.requests, noun, paths)
}
