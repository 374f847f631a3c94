// Package serve is the local page for a workshop: people predict what two
// clients will do, watch one operation of each live, and compare. It measures
// nothing by itself: it is handed a function that does, and draws what the
// events tell with the geometry of every other report. It keeps no state: a
// run belongs to the one request that asked for it, and ends with it.
package serve

import (
	"context"
	"net/http"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// Order is what to measure: so many operations of each contrast variant of a
// scenario. Live sees the events as they come, concurrently; those of the
// client have no sequence number.
type Order struct {
	Scenario   *scenario.Scenario
	Operations int
	Live       func(side string, e eventlog.Event)
}

// Measured is a run as it was read back from its logs.
type Measured struct {
	Run     *timeline.Run
	Summary *verdict.Summary
}

// Listed is one run that can be opened.
type Listed struct {
	Name    string // of its directory
	Label   string
	Started time.Time
	Status  string
	Verdict string // empty when the run has no summary
}

// Reports gives access to finished runs. HTML is called with any name that a
// URL can hold and must refuse all that List does not name with ErrNoRun.
type Reports interface {
	List() ([]Listed, error)
	HTML(ctx context.Context, name string) ([]byte, error)
}

// Config is what the page needs from outside. Every field but Token and Names
// is required.
type Config struct {
	Scenarios []*scenario.Scenario
	Measure   func(context.Context, Order) (*Measured, error)
	Computed  func(s *scenario.Scenario, variant string) (ms float64) // what the waits of a variant add up to
	Now       func() int64                                            // the clock of the events, in ns
	Reports   Reports
	Access    Access
	MostRuns  int // at once, over all browsers
}

// Longest that one run may take: far above every scenario, so that a request
// that hangs does not hold its place for ever.
const longestRun = 5 * time.Minute

// New returns the page as a handler. The context of its requests should end
// when the server is to stop: that ends the runs.
func New(cfg Config) http.Handler {
	p := &page{cfg: cfg, places: make(chan struct{}, cfg.MostRuns)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.index)
	mux.HandleFunc("GET /scenarios/{name}", p.scenario)
	mux.HandleFunc("POST /scenarios/{name}/one", p.runOne)
	mux.HandleFunc("POST /scenarios/{name}/batch", p.runBatch)
	mux.HandleFunc("GET /results/{$}", p.results)
	mux.HandleFunc("GET /results/{run}", p.report)
	mux.HandleFunc("GET /assets/{file}", p.asset)
	mux.HandleFunc("/", p.nowhere)
	return cfg.Access.guard(mux)
}

// page answers the requests.
type page struct {
	cfg    Config
	places chan struct{} // one for each run
}

func (p *page) find(name string) *scenario.Scenario {
	for _, s := range p.cfg.Scenarios {
		if s.Name == name {
			return s
		}
	}
	return nil
}
