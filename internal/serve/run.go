package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// How often what is known so far is drawn: often enough to be seen moving.
const (
	frame      = 50 * time.Millisecond  // of one operation
	stripFrame = 200 * time.Millisecond // of thirty
	batchSize  = 30
)

func (p *page) runOne(w http.ResponseWriter, r *http.Request) {
	p.run(w, r, func(s *scenario.Scenario, known map[string]prediction) showing {
		return newPairRun(s, known, p.endMs(s))
	})
}

func (p *page) runBatch(w http.ResponseWriter, r *http.Request) {
	p.run(w, r, func(s *scenario.Scenario, _ map[string]prediction) showing { return newSeries(s, p.endMs(s)) })
}

// showing is what a run looks like: while it runs, and when it is over.
type showing interface {
	operations() int
	every() time.Duration
	frame(w *watch, now int64) (event string, data any, err error)
	finished(m *Measured) (event string, data any, err error)
}

// endMs is where the axis ends that is drawn before anything has happened: it
// holds the deadline, and what the waits of every contrast variant add up to.
func (p *page) endMs(s *scenario.Scenario) float64 {
	end := s.Operation.BudgetMs
	for _, v := range s.Contrast {
		end = max(end, p.cfg.Computed(s, v))
	}
	return end * 1.08
}

// run measures in one request: the browser that leaves ends its run.
func (p *page) run(w http.ResponseWriter, r *http.Request, show func(*scenario.Scenario, map[string]prediction) showing) {
	s := p.find(r.PathValue("name"))
	if s == nil {
		refuse(w, r, http.StatusNotFound, "no scenario of this name is served", "GET / lists them")
		return
	}
	known, err := readPredictions(http.MaxBytesReader(w, r.Body, longestBody), s)
	if err != nil {
		refuse(w, r, http.StatusBadRequest, err.Error(), `send {"predictions":[{"variant":…,"promise":…,"duration_ms":…,"requests":…}]}`)
		return
	}
	select {
	case p.places <- struct{}{}:
		defer func() { <-p.places }()
	default:
		w.Header().Set("Retry-After", "5")
		refuse(w, r, http.StatusTooManyRequests, fmt.Sprintf("%d runs are under way already, which is as many as this machine is asked to do at once", p.cfg.MostRuns), "try again in a few seconds")
		return
	}
	ctx, cancel := context.WithTimeoutCause(r.Context(), longestRun, errTooLong)
	defer cancel()
	p.carryOut(ctx, cancel, newStream(w), s, show(s, known))
}

var errTooLong = fmt.Errorf("the run took longer than %s and was ended", longestRun)

// measuredOrNot is how a run ended.
type measuredOrNot struct {
	measured *Measured
	err      error
}

// carryOut draws while the run goes on, then shows its end. Whatever happens,
// it returns only when the run has ended.
func (p *page) carryOut(ctx context.Context, cancel context.CancelFunc, out *stream, s *scenario.Scenario, show showing) {
	w, over := newWatch(), make(chan measuredOrNot, 1)
	go func() {
		m, err := p.cfg.Measure(ctx, Order{Scenario: s, Operations: show.operations(), Live: w.add})
		over <- measuredOrNot{m, err}
	}()
	draw := func() {
		event, data, err := show.frame(w, p.cfg.Now())
		if err == nil {
			err = out.send(event, data)
		}
		if err != nil {
			cancel()
		}
	}
	draw() // the axis and the deadline are there before anything happens
	ticks := time.NewTicker(show.every())
	defer ticks.Stop()
	for {
		select {
		case end := <-over:
			conclude(ctx, out, show, end)
			return
		case <-ticks.C:
			draw()
		}
	}
}

func conclude(ctx context.Context, out *stream, show showing, end measuredOrNot) {
	err := end.err
	var event string
	var data any
	if err == nil {
		event, data, err = show.finished(end.measured)
	}
	if err != nil {
		event, data = "failed", explain(ctx, err)
	}
	// A browser that has left does not need it.
	_ = out.send(event, data)
}

// explain says to the browser why there is no result.
func explain(ctx context.Context, err error) refusal {
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errTooLong) {
		return refusal{"the run was ended before it was over", "run it again; if the server was stopped, start bench serve again first"}
	}
	return refusal{err.Error(), "the terminal of bench serve may say more; `bench doctor` says what this machine can show"}
}
