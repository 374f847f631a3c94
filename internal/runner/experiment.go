package runner

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync/atomic"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

const (
	registerAtOnce = 1000             // operations in one call
	callWithin     = 30 * time.Second // one call of the control API
	maxTTL         = time.Hour
)

// experiment is one scenario of the plan on labserver.
type experiment struct {
	scenario   *scenario.Scenario
	name       string
	operations map[string]control.Operation

	closing atomic.Bool   // its stream may end now
	lastSeq atomic.Uint64 // of the newest event that arrived
	drained chan struct{} // its stream has ended
	ended   error         // why; to be read once it has
}

// open makes every experiment and operation known before the first one runs.
func (r *run) open() error {
	ctx, cancel := context.WithTimeoutCause(r.work, 4*callWithin, errors.New("labserver did not answer in time"))
	defer cancel()
	if err := r.alignClocks(ctx); err != nil {
		return lostBy(err)
	}
	for _, s := range r.plan.Scenarios {
		if err := r.openExperiment(ctx, s); err != nil {
			return lostBy(fmt.Errorf("scenario %s could not be set up: %w", s.Name, err))
		}
	}
	return nil
}

func (r *run) openExperiment(ctx context.Context, s *scenario.Scenario) error {
	document, err := control.Document(s)
	if err != nil {
		return err
	}
	known, err := r.control.Create(ctx, control.ExperimentRequest{Scenario: document, Seed: r.plan.Seed, TTLMs: clock.InMs(maxTTL), DataAddr: DataAddr(r.cfg.DataHost)})
	if err != nil {
		return err
	}
	x := &experiment{scenario: s, name: known.Name, operations: map[string]control.Operation{}, drained: make(chan struct{})}
	r.experiments[s.Name] = x
	r.order = append(r.order, x)
	stream, err := r.control.Take(r.streams, x.name)
	if err != nil {
		close(x.drained)
		return err
	}
	go r.follow(x, stream)
	return r.register(ctx, x)
}

// DataAddr is where labserver is to listen for the clients: any free port, at
// host, an IP that reaches it from here, or at its loopback if that is empty.
func DataAddr(host string) string {
	if host == "" {
		return ""
	}
	return net.JoinHostPort(host, "0")
}

func (r *run) register(ctx context.Context, x *experiment) error {
	for part := range slices.Chunk(r.requests(x.scenario), registerAtOnce) {
		known, err := r.control.Register(ctx, x.name, part)
		if err != nil {
			return err
		}
		for _, op := range known {
			x.operations[op.Op] = op
		}
	}
	return nil
}

// requests lists the operations of a scenario that will send requests.
func (r *run) requests(s *scenario.Scenario) []control.OperationRequest {
	around := s.Fault.Arrangement()
	var list []control.OperationRequest
	for _, it := range r.plan.Items {
		if it.Scenario != s.Name {
			continue
		}
		for _, op := range it.Ops() {
			list = append(list, control.OperationRequest{Op: op, Phase: it.Phase})
		}
		if around.HoldConnection > 0 || around.LeadUntil != "" {
			list = append(list, control.OperationRequest{Op: it.Helper, Phase: eventlog.Helper})
		}
		if around.CancelOn != "" {
			list = append(list, control.OperationRequest{Op: it.Probe, Phase: eventlog.Probe})
		}
	}
	for _, c := range r.plan.Cells {
		if c.Scenario == s.Name && r.plan.variants[c.Variant].External == nil {
			list = append(list, control.OperationRequest{Op: cellProbe(c.Scenario, c.Label), Phase: eventlog.Probe})
		}
	}
	return list
}

// follow copies the experiment's live events to the log and to whoever waits
// for one. A stream that ends before it may means that labserver is gone.
func (r *run) follow(x *experiment, stream io.ReadCloser) {
	defer close(x.drained)
	defer stream.Close()
	lines := bufio.NewReaderSize(stream, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			x.ended = err
			if !x.closing.Load() {
				r.lost(fmt.Errorf("the event stream of %s ended: %w", x.name, err))
			}
			return
		}
		if err := r.arrived(x, line); err != nil {
			x.ended = err
			r.abandon(fmt.Errorf("experiment %s: labserver sent a line that is no event: %w; use binaries of one version", x.name, err))
			return
		}
	}
}

// arrived hands on one line before it is logged: nobody waits for the disk.
func (r *run) arrived(x *experiment, line []byte) error {
	e, err := eventlog.Decode(line)
	if err != nil {
		return err
	}
	x.lastSeq.Store(e.Seq)
	if r.cfg.Live != nil {
		r.cfg.Live(eventlog.ServerSide, e)
	}
	e.TNs += r.result.Clock.OffsetNs
	r.moments.Happened(e)
	r.log.add(line)
	return nil
}
