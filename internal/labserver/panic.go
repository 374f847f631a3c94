package labserver

import (
	"fmt"
	"net/http"
	"runtime/debug"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// A panic is a fault of labserver's own, whatever request, script or client
// brought it about. It ends the exchange in which it happened and makes its
// operation invalid; everything else goes on.

// contain turns a panic of the exchange's handler into its error.
func (ex *exchange) contain(err *error) {
	if v := recover(); v != nil {
		ex.x.failed(eventlog.Event{Op: ex.op.id, Exchange: ex.number, Attempt: ex.attempt}, v)
		*err = fmt.Errorf("labserver panicked: %v", v)
	}
}

// containRequest ends the connection after a panic outside of any exchange.
func (x *experiment) containRequest() {
	if v := recover(); v != nil {
		if v != http.ErrAbortHandler {
			x.failed(eventlog.Event{}, v)
		}
		panic(http.ErrAbortHandler)
	}
}

// beside runs f beside the exchange's handler.
func (ex *exchange) beside(f func()) {
	ex.x.beside.Go(func() {
		defer func() {
			if v := recover(); v != nil {
				ex.x.failed(eventlog.Event{Op: ex.op.id, Exchange: ex.number, Attempt: ex.attempt}, v)
				ex.conn.Close()
			}
		}()
		f()
	})
}

// aside runs f beside the handlers, for an operation or, with op empty, for none.
func (x *experiment) aside(op string, f func()) {
	x.beside.Go(func() {
		defer func() {
			if v := recover(); v != nil {
				x.failed(eventlog.Event{Op: op}, v)
			}
		}()
		f()
	})
}

// failed records a panic as an event of whom e names, and logs its stack.
func (x *experiment) failed(e eventlog.Event, v any) {
	e.Kind, e.Error = eventlog.ServerFailed, fmt.Sprint(v)
	x.record(e)
	x.cfg.ErrorLog.Printf("labserver panicked: %v\n%s", v, debug.Stack())
}
