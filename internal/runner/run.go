package runner

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/instrument"
	"github.com/deadlinelab/deadlinelab/internal/predict"
)

// run is one plan being carried out.
type run struct {
	cfg     Config
	clock   clock.Clock
	control *control.Client
	plan    *Plan
	moments *instrument.Moments
	log     *serverLog

	work       context.Context // ends when the run is given up
	giveUp     context.CancelCauseFunc
	streams    context.Context // of the event streams: they outlive work
	endStreams context.CancelFunc
	over       chan struct{} // closed when the run returns
	mu         sync.Mutex
	why        error // why it was given up
	result     Result
	running    int

	experiments map[string]*experiment // by scenario
	order       []*experiment
	series      *series
	goroutines  *instrument.Goroutines
}

func newRun(cfg Config, p *Plan) *run {
	r := &run{cfg: cfg, clock: cfg.Clock, control: cfg.Control, plan: p, moments: instrument.NewMoments(),
		log: newServerLog(cfg.ServerLog), over: make(chan struct{}), experiments: map[string]*experiment{}, series: newSeries(p), goroutines: instrument.NewGoroutines()}
	r.result.Parallel = cfg.Parallel
	r.work, r.giveUp = context.WithCancelCause(context.Background())
	r.streams, r.endStreams = context.WithCancel(context.Background())
	return r
}

// abandon gives the run up; the first reason counts.
func (r *run) abandon(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.work.Err() != nil {
		return
	}
	r.why = why
	r.giveUp(errors.Join(instrument.ErrAborted, why))
}

func (r *run) reason() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.why
}

// lost gives the run up because labserver does not answer as it should.
func (r *run) lost(err error) { r.abandon(lostBy(err)) }

// lostBy tells a labserver that refuses a call from one that is gone.
func lostBy(err error) error {
	var refused *control.APIError
	if err == nil || errors.As(err, &refused) || errors.Is(err, instrument.ErrAborted) {
		return err
	}
	return &ServerLost{Err: err}
}

// watchServer gives the run up when the labserver's process has ended.
func (r *run) watchServer() {
	if r.cfg.Lost == nil {
		return
	}
	go func() {
		select {
		case <-r.cfg.Lost:
			r.lost(errors.New("its process has ended"))
		case <-r.over:
		}
	}()
}

// sampleNoise measures the noise floor of this process for the whole run.
func (r *run) sampleNoise() (stop func()) {
	rnd := rand.New(rand.NewPCG(uint64(r.plan.Seed), 0x6e6f697365))
	return clock.StartNoise(r.clock, rnd, func(dueNs int64, late time.Duration) {
		r.cfg.Recorder.Record(eventlog.Event{Kind: eventlog.NoiseSampled, DueNs: dueNs, LateMs: clock.InMs(late)})
	})
}

// serverNs is a client's time on the server's clock.
func (r *run) serverNs(t time.Time) int64 { return r.clock.Ns(t) - r.result.Clock.OffsetNs }

// underway is one operation of an item, not yet begun.
func (r *run) underway(it Item, id string, phase eventlog.Phase) *underway {
	x := r.experiments[it.Scenario]
	u := &underway{
		start: eventlog.Start{Scenario: it.Scenario, Variant: it.Variant, Label: it.Label, Repeat: it.Repeat, Index: it.Index,
			Phase: phase, BudgetMs: x.scenario.Operation.BudgetMs},
		policy: predict.Policy(x.scenario, predict.Draws(r.plan.Seed, id)), target: x.operations[id].BaseURL, marker: x.operations[id].Marker,
		journal: &instrument.Journal{Op: id, Record: r.cfg.Recorder.Record, Moments: r.moments, Live: r.cfg.Live}, clock: r.clock,
		begun: make(chan struct{}), ended: make(chan struct{}),
	}
	switch phase {
	case eventlog.Measured, eventlog.Warmup, eventlog.Startup:
		u.asks(x.scenario)
	default:
		u.start.For = it.Ops()[0]
	}
	return u
}

// operation builds one operation of an item on a client.
func (r *run) operation(it Item, id string, phase eventlog.Phase, c *client) *operation {
	o := &operation{underway: r.underway(it, id, phase), client: c, do: r.plan.variants[it.Variant].Do, labels: r.labels(it.Op)}
	o.stop = &instrument.Stop{Journal: o.journal, Clock: r.clock}
	o.transport = &instrument.Transport{Journal: o.journal, Stop: o.stop, Base: c.transport}
	o.slots = &instrument.Slots{Journal: o.journal, Stop: o.stop, Queue: c.slots}
	return o
}
