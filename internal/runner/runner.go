package runner

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// AutoParallel is how many operations run at once unless the caller says
// otherwise: well below the number at which the overshoot begins to move.
const AutoParallel = 150

// Config is what a run needs from outside.
type Config struct {
	Clock     clock.Clock
	Control   *control.Client
	Dial      func(ctx context.Context, network, addr string) (net.Conn, error) // of the clients under test; nil = plain TCP
	Recorder  *eventlog.Recorder                                                // gets the client's events
	ServerLog io.Writer                                                         // gets the server's events as JSON lines, as they come; nil = nowhere
	Parallel  int                                                               // operations at once; 0 = AutoParallel
	Settle    time.Duration                                                     // how long to wait at the end for the server's handlers; 0 = 5 s
	Progress  func(Progress)                                                    // after each start and end, one call at a time; nil = none
	Live      func(side string, e eventlog.Event)                               // sees every event as it comes, concurrently; client events have no Seq; nil = none
	Lost      <-chan struct{}                                                   // closed when the labserver is known to have died; nil = never known
	DataHost  string                                                            // labserver's address for the data listeners, an IP; empty = its loopback
	Aligned   func(Clock)                                                       // gets the first comparison of the clocks, before the first operation; nil = none
}

// Progress is how far a run is, warm-ups included.
type Progress struct {
	Done, Running, Total int
}

// Result is what a run leaves besides its two logs.
type Result struct {
	Clock       Clock
	Tallies     []control.Tally // one per experiment that could be closed
	Busy        []string        // operations whose server handler still ran at the end
	Interrupted bool            // ctx ended before the plan did
	Done        int             // items that have ended
	Parallel    int             // operations at once, at most
}

// Clock says how the server's times relate to the client's:
// client = server + OffsetNs ± BoundNs.
type Clock struct {
	Shared   bool // one clock: offset 0, bound 0
	OffsetNs int64
	BoundNs  int64
	Readings []Reading // the comparisons that it rests on: one before the first operation, one after the last
}

// Reading is one comparison of the two clocks, by the quickest of several
// exchanges.
type Reading struct {
	AtNs     int64 // on the client's clock
	OffsetNs int64
	BoundNs  int64
}

// ServerLost is a labserver that died or could not be reached any more. What
// was measured until then is in the logs.
type ServerLost struct{ Err error }

func (e *ServerLost) Error() string {
	return fmt.Sprintf("labserver was lost during the run: %v; what was measured so far is kept", e.Err)
}
func (e *ServerLost) Unwrap() error { return e.Err }

// Runner carries out plans against one labserver.
type Runner struct{ cfg Config }

// New returns a runner.
func New(cfg Config) *Runner {
	if cfg.Dial == nil {
		cfg.Dial = (&net.Dialer{}).DialContext
	}
	if cfg.Parallel == 0 {
		cfg.Parallel = AutoParallel
	}
	if cfg.Settle == 0 {
		cfg.Settle = 5 * time.Second
	}
	if cfg.ServerLog == nil {
		cfg.ServerLog = io.Discard
	}
	return &Runner{cfg: cfg}
}

// Run carries out the plan. When ctx ends it starts nothing more, ends what
// runs, collects the logs and returns a Result with Interrupted. The error is
// a *ServerLost, or what could not be set up or written; the Result beside it
// holds what there is. An operation that was given up has no operation_finished.
func (r *Runner) Run(ctx context.Context, p *Plan) (*Result, error) {
	run := newRun(r.cfg, p)
	defer run.abandon(nil)
	forward := context.AfterFunc(ctx, func() { run.abandon(context.Cause(ctx)) })
	defer forward()
	run.watchServer()
	if err := run.open(); err != nil {
		run.abandon(err)
	} else {
		stop := run.sampleNoise()
		run.startAll()
		stop()
	}
	run.result.Interrupted = ctx.Err() != nil
	return run.close()
}
