package labserver

import (
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// exchange is one request that arrived: what a fault sees of it.
type exchange struct {
	x       *experiment
	op      *operation
	number  int
	attempt int // told by the client, 0 = not told
	conn    *conn
	request *http.Request

	w       http.ResponseWriter
	control http.ResponseController
	fault   fault.Fault   // the step of this exchange
	kind    string        // its type
	reading chan struct{} // closed once the request's body is read beside the script; nil = it is not
	wire    *wire         // not nil once the connection is taken over
	started time.Time

	onConnection int       // number of the exchange on its connection
	released     bool      // a gate let it go and it has not written since
	armed        time.Time // due time of the fault that has not fired; zero = none
	head         int       // status of a head that is not sent yet; 0 = none
	length       int64     // of the announced body, -1 = not announced
	written      int64
	announced    [1]string // the length as a header's value
}

// An exchange is what faults work on.
var _ fault.Exchange = (*exchange)(nil)

func (ex *exchange) Op() string             { return ex.op.id }
func (ex *exchange) Number() int            { return ex.number }
func (ex *exchange) Phase() eventlog.Phase  { return ex.op.phase }
func (ex *exchange) Marker() string         { return ex.op.marker }
func (ex *exchange) Started() time.Time     { return ex.started }
func (ex *exchange) Request() *http.Request { return ex.request }
func (ex *exchange) OnConnection() int      { return ex.onConnection }

// Record fills in whose event it is.
func (ex *exchange) Record(e eventlog.Event) { ex.record(e) }

func (ex *exchange) record(e eventlog.Event) int64 {
	e.Op, e.Exchange, e.Attempt = ex.op.id, ex.number, ex.attempt
	return ex.x.record(e)
}

// DelayUntil arms the fault and waits for its due time.
func (ex *exchange) DelayUntil(due time.Time) error {
	ex.readBody()
	if err := ex.sendHead(); err != nil {
		return err
	}
	return ex.wait(due)
}

func (ex *exchange) wait(due time.Time) error {
	ex.armed = due
	ex.record(eventlog.Event{Kind: eventlog.FaultArmed, Fault: ex.kind, DueNs: ex.x.clock.Ns(due)})
	err := ex.x.until(due, ex.stops())
	if err != nil {
		ex.armed = time.Time{}
	}
	return err
}

// stops is closed when the handler should give up; nil if it never should.
func (ex *exchange) stops() <-chan struct{} {
	if ex.x.scenario.Fault.HandlerCancellation() || ex.fault.HandlerCancellation() {
		return ex.conn.left
	}
	return nil
}

// Fired records that the armed fault took effect just now.
func (ex *exchange) Fired() { ex.fired(ex.conn.push()) }

// fired records that it took effect by what p began.
func (ex *exchange) fired(p push) {
	if ex.armed.IsZero() {
		return
	}
	due, late := ex.x.clock.Ns(ex.armed), ex.conn.late(ex.armed, p)
	ex.armed = time.Time{}
	ex.record(eventlog.Event{Kind: eventlog.FaultFired, Fault: ex.kind, DueNs: due, LateMs: float64(late) / 1e6})
}

// Headers prepares the response head. It leaves with the first piece of the
// body, or before the next wait: one write, as any server makes it. That it was
// prepared is recorded even when nobody is there to read it: this is what a
// server does for a client that left.
func (ex *exchange) Headers(status int, header http.Header, length int64) error {
	ex.readBody()
	h := ex.w.Header()
	maps.Copy(h, header)
	if length >= 0 && hasBody(status) {
		ex.announced[0] = strconv.FormatInt(length, 10)
		h["Content-Length"] = ex.announced[:]
	}
	ex.length, ex.head = length, status
	ex.record(eventlog.Event{Kind: eventlog.ServerHeadersPrepared, Status: status})
	if length > 0 && !ex.conn.gone() {
		return nil
	}
	return ex.sendHead()
}

func hasBody(status int) bool {
	return status != http.StatusNoContent && status != http.StatusNotModified
}

// sendHead sends the head by itself, unless it has left.
func (ex *exchange) sendHead() error {
	if ex.head == 0 {
		return nil
	}
	return ex.send(nil)
}

// Write sends one piece of the body.
func (ex *exchange) Write(p []byte) error {
	if ex.written+int64(len(p)) == ex.length && !ex.conn.gone() {
		ex.conn.answered()
	}
	if err := ex.send(p); err != nil {
		return err
	}
	ex.written += int64(len(p))
	ex.record(eventlog.Event{Kind: eventlog.ServerBodyWritten, Bytes: int64(len(p)), Total: ex.written})
	ex.makeWay()
	return nil
}

// makeWay lets others write first whom the gate may have let go at the same
// instant: what net/http does after a write takes as long as one.
func (ex *exchange) makeWay() {
	if ex.released {
		ex.released = false
		runtime.Gosched()
	}
}

// send writes and flushes the head, if it waits, and p. For a client that has
// left nothing is written: its system might take the bytes, and the log would
// call that an answer.
func (ex *exchange) send(p []byte) error {
	status := ex.head
	ex.head = 0
	if ex.conn.gone() {
		ex.Fired()
		return fault.ErrClientGone
	}
	began := ex.conn.push()
	err := ex.write(status, p)
	ex.fired(began)
	if err != nil {
		return fmt.Errorf("%w: %w", fault.ErrClientGone, err)
	}
	if status != 0 {
		ex.record(eventlog.Event{Kind: eventlog.ServerHeadersWritten, Status: status})
	}
	return nil
}

// write returns when the system has taken everything.
func (ex *exchange) write(status int, p []byte) error {
	if status != 0 {
		ex.w.WriteHeader(status)
	}
	if len(p) > 0 {
		if _, err := ex.w.Write(p); err != nil {
			return err
		}
	}
	return ex.control.Flush()
}

// Finish ends the body.
func (ex *exchange) Finish() error {
	if err := ex.sendHead(); err != nil {
		return err
	}
	if ex.conn.gone() && ex.written != ex.length {
		return fault.ErrClientGone
	}
	if ex.length < 0 {
		ex.awaitBody() // net/http ends a chunked body when the handler returns
	}
	ex.conn.answered()
	ex.record(eventlog.Event{Kind: eventlog.ServerBodyFinished, Total: ex.written})
	return nil
}
