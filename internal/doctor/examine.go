package doctor

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
)

// Config is what an examination needs.
type Config struct {
	Machine Machine
	Control *control.Client      // of a labserver in a process of its own
	Seconds float64              // about how long to measure; 10 is the usual
	Step    func(running string) // told what is measured next; nil = nobody
}

// usualSeconds is what the shares of step add up to.
const usualSeconds = 10.0

// step is one measurement with its share of the time.
type step struct {
	name    string
	seconds float64
	measure func(during time.Duration) error
}

// Examine measures. Each step has the machine for itself. The error is for a
// labserver that could not be used, or ctx's.
func Examine(ctx context.Context, cfg Config) (*Report, error) {
	r := &Report{Schema: Schema, SchemaVersion: SchemaVersion, Seconds: cfg.Seconds, Machine: cfg.Machine}
	r.Machine.Look()
	i := newInjector(cfg.Control, nil)
	defer i.close()
	for _, s := range r.steps(ctx, i) {
		if cfg.Step != nil {
			cfg.Step(s.name)
		}
		if err := s.measure(time.Duration(s.seconds * cfg.Seconds / usualSeconds * float64(time.Second))); err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	r.judge()
	return r, nil
}

func (r *Report) steps(ctx context.Context, i *injector) []step {
	clk, rnd := clock.New(), rand.New(rand.NewPCG(rand.Uint64(), 0))
	return []step{
		{"deadlines", 2, func(d time.Duration) error {
			r.Deadline = deadlines(ctx, clk, rnd, d)
			return nil
		}},
		{"timers", 0.8, func(d time.Duration) error {
			r.Timer = timers(ctx, rnd, nil, d)
			return nil
		}},
		{"nudged timers", 0.8, func(d time.Duration) error { return r.nudged(ctx, rnd, d) }},
		{"injection, one exchange at a time", 1.2, func(d time.Duration) (err error) {
			r.Single, err = i.single(ctx, d)
			return err
		}},
		{"injection, 50 exchanges in flight", 4, func(d time.Duration) (err error) {
			r.Spread, r.Seen, err = i.spread(ctx, max(1, int(d/seenDelay)))
			return err
		}},
		{"injection, 50 exchanges at one instant", 1.2, func(d time.Duration) (err error) {
			r.Burst, err = i.burst(ctx, max(1, int(d/(2*burstAhead))))
			return err
		}},
	}
}

// nudged is nil where there is no nudge.
func (r *Report) nudged(ctx context.Context, rnd *rand.Rand, during time.Duration) error {
	n, err := clock.NewNudge()
	if n == nil || err != nil {
		return err
	}
	defer n.Close()
	r.Nudged = timers(ctx, rnd, n, during)
	return nil
}
