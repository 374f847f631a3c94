package labserver

import (
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// experiment is one scenario with its own data listener, operations, gates and
// log. It ends by DELETE, by its ttl or with the server, whichever comes first.
type experiment struct {
	name     string
	scenario *scenario.Scenario
	recorder *eventlog.Recorder
	clock    clock.Clock
	nudge    *clock.Nudge
	ttl      time.Duration // 0 = until the server closes
	host     string        // by which the control API was reached; empty = not by a request
	url      string        // of the data listener

	cfg         *Config
	limit       *limit
	endpoints   endpoints
	registering sync.Mutex

	listener    net.Listener
	http        *http.Server
	connections connections
	operations  operations
	gates       gates
	running     running
	effects     effects
	beside      sync.WaitGroup // goroutines beside the handlers
	ended       chan struct{}
	expiry      *time.Timer

	once  sync.Once
	tally control.Tally
}

// open serves on l.
func (x *experiment) open(cfg *Config, l net.Listener, most *limit) {
	x.cfg, x.limit = cfg, most
	x.listener = &listener{Listener: l, x: x, limit: most}
	x.url = x.urlAt(l.Addr().String())
	// net/http would answer OPTIONS * by itself, and an answer that no script
	// gave must not look healthy.
	x.http = &http.Server{Handler: x, ErrorLog: cfg.ErrorLog, ConnContext: withConn, MaxHeaderBytes: maxHeaderBytes, DisableGeneralOptionsHandler: true,
		ConnState: rest}
	go x.http.Serve(x.listener)
}

// end stops accepting, aborts the handlers that still run, waits for them,
// closes the connections and the log. It may be called more than once.
func (x *experiment) end() control.Tally {
	x.once.Do(func() {
		if x.expiry != nil {
			x.expiry.Stop()
		}
		x.record(eventlog.Event{Kind: eventlog.ExperimentEnded})
		x.listener.Close()
		x.endpoints.closeAll()
		busy := x.running.stop()
		close(x.ended)
		x.connections.closeAll()
		x.http.Close()
		x.running.wait()
		x.beside.Wait()
		x.recorder.Close()
		x.tally = control.Tally{Experiment: x.name, LastSeq: x.recorder.LastSeq(), Lost: x.recorder.Lost(), Discarded: x.recorder.Discarded(),
			Requests: x.operations.requests(), Busy: busy}
	})
	return x.tally
}

// facts is what the API tells about x.
func (x *experiment) facts() control.Experiment {
	return control.Experiment{Name: x.name, Scenario: x.scenario.Name, DataURL: x.url,
		TTLMs: float64(x.ttl) / 1e6, LastSeq: x.recorder.LastSeq(), Busy: x.running.count(),
		Connections: x.connections.count(), Standing: x.outstanding()}
}

// record adds e to the log of x, which stamps it with x's name.
func (x *experiment) record(e eventlog.Event) int64 { return x.recorder.Record(e) }
