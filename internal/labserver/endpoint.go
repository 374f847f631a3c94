package labserver

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/socket"
)

// endpoint is an address at which connections meet a script before any
// request: of one operation, or where a redirect leads.
type endpoint struct {
	x      *experiment
	script fault.ConnectionScript
	op     string // empty: of no operation
	url    string
	close  func()
}

// endpoints are those of one experiment.
type endpoints struct {
	mu        sync.Mutex
	open      []*endpoint
	elsewhere map[fault.ConnectionKind]*endpoint
	closed    bool
}

// endpointOf opens the address of an operation whose connections meet
// something; nil for all others.
func (x *experiment) endpointOf(op *operation) (*endpoint, error) {
	f, ok := x.scenario.Fault.(fault.ConnectionFault)
	if !ok || op.phase == eventlog.Helper || op.phase == eventlog.Probe {
		return nil, nil
	}
	return x.openEndpoint(f.Connect(), op.id, x.addressFor())
}

// standaloneEndpoint is where operations that register themselves are served: they
// have no address of their own.
func (x *experiment) standaloneEndpoint() error {
	f, ok := x.scenario.Fault.(fault.ConnectionFault)
	if !ok || !x.operations.auto {
		return nil
	}
	a, err := x.openEndpoint(f.Connect(), "", x.addressFor())
	if err == nil {
		x.url = a.url
	}
	return err
}

// addressFor is any free port where the experiment listens.
func (x *experiment) addressFor() string {
	host, _, err := net.SplitHostPort(x.listener.Addr().String())
	if err != nil {
		return loopbackAny
	}
	return net.JoinHostPort(host, "0")
}

// endpoint opens an address with that script.
func (x *experiment) openEndpoint(script fault.ConnectionScript, op, addr string) (*endpoint, error) {
	a := &endpoint{x: x, script: script, op: op}
	if !x.limit.acquire(a.files()) {
		return nil, refuse(http.StatusInsufficientStorage, "raise the limit of open files (ulimit -n), or run fewer operations",
			"no listener for operation %q: %s", op, x.limit.why())
	}
	if err := a.listen(addr); err != nil {
		x.limit.open.Add(-a.files())
		return nil, refuse(http.StatusInsufficientStorage, "raise the limit of open files (ulimit -n), or run fewer operations",
			"no listener for operation %q: %v", op, err)
	}
	free := a.close
	a.close = sync.OnceFunc(func() { free(); x.limit.open.Add(-a.files()) })
	if !x.endpoints.add(a) {
		a.close()
		return nil, refuse(http.StatusGone, "", "experiment %q has ended", x.name)
	}
	return a, nil
}

// files is how many sockets the address takes, which count as connections do.
func (a *endpoint) files() int64 {
	if a.script.Kind == fault.BlackHole {
		return 2 // the listener, and what fills its queue
	}
	return 1
}

func (as *endpoints) add(a *endpoint) bool {
	as.mu.Lock()
	defer as.mu.Unlock()
	if as.closed {
		return false
	}
	as.open = append(as.open, a)
	return true
}

func (as *endpoints) closeAll() {
	as.mu.Lock()
	as.closed = true
	open := slices.Clone(as.open)
	as.mu.Unlock()
	for _, a := range open {
		a.close()
	}
}

// Elsewhere is an address of the experiment, opened when it is first asked for.
func (ex *exchange) Elsewhere(kind fault.ConnectionKind) (string, error) {
	as := &ex.x.endpoints
	as.mu.Lock()
	a := as.elsewhere[kind]
	as.mu.Unlock()
	if a != nil {
		return a.url + "/", nil
	}
	a, err := ex.x.openEndpoint(fault.ConnectionScript{Kind: kind}, "", ex.x.addressFor())
	if err != nil {
		return "", err
	}
	as.mu.Lock()
	defer as.mu.Unlock()
	if as.elsewhere == nil {
		as.elsewhere = map[fault.ConnectionKind]*endpoint{}
	}
	as.elsewhere[kind] = a
	return a.url + "/", nil
}

// listen opens the address and serves it as the script says.
func (a *endpoint) listen(addr string) error {
	if a.script.Kind == fault.Refused {
		return a.refuse(addr)
	}
	l, err := a.x.cfg.listen(addr)
	if err != nil {
		return err
	}
	a.url = a.x.urlAt(l.Addr().String())
	if a.script.Kind == fault.BlackHole {
		return a.swallow(l)
	}
	a.close = func() { l.Close() }
	a.serve(l)
	return nil
}

// refuse keeps a port at which nobody listens.
func (a *endpoint) refuse(addr string) error {
	at, free, err := socket.Reserve(a.x.cfg.Listen, addr)
	a.url, a.close = a.x.urlAt(at), free
	return err
}

// swallow fills the listener's queue, so that the system drops further
// connections, and serves once the operation's gate is released.
func (a *endpoint) swallow(l net.Listener) error {
	release, err := socket.Fill(l)
	if err != nil {
		l.Close()
		return fmt.Errorf("filling the queue of %s: %w", l.Addr(), err)
	}
	a.close = func() { release(); l.Close() }
	if a.script.For > 0 {
		a.x.aside(a.op, func() {
			if _, err := a.x.gates.of(a.op).pass(nil, nil, a.x.ended); err == nil {
				release()
				a.serve(l)
			}
		})
	}
	return nil
}

// address tells where an operation is served and what proves its success.
func (x *experiment) address(op *operation) control.Operation {
	return control.Operation{Op: op.id, BaseURL: x.urlOf(op) + "/op/" + op.id + "/", Marker: op.marker}
}

func (x *experiment) urlOf(op *operation) string {
	if op.endpoint != nil {
		return op.endpoint.url
	}
	return x.url
}
