package labserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

const (
	// statusUnscripted answers what no script covers: a typo must never look
	// healthy, nor like a fault that was asked for.
	statusUnscripted = 599
	attemptHeader    = "Deadlinelab-Attempt"
	maxAttempt       = 1_000_000
)

// ServeHTTP answers one request on the data listener.
func (x *experiment) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer x.containRequest()
	c := connOf(r)
	if c.over {
		w.Header().Set("Connection", "close")
		x.unscripted(w, r, "", http.StatusServiceUnavailable, c.limit.why())
		return
	}
	attempt, err := attemptOf(r)
	if err != nil {
		x.unscripted(w, r, "", http.StatusBadRequest, err.Error())
		return
	}
	if r.ContentLength > fault.MaxBodyBytes {
		x.unscripted(w, r, "", http.StatusRequestEntityTooLarge, fmt.Sprintf("request body of %d bytes: expected at most %d", r.ContentLength, fault.MaxBodyBytes))
		return
	}
	if r.Method == "PRI" { // the preface of HTTP/2, as RFC 9113 has it
		x.unscripted(w, r, "", statusUnscripted, "HTTP/2 with prior knowledge: expected HTTP/1.1")
		return
	}
	op, number, id, why := x.operations.next(r.URL.Path)
	if op == nil {
		x.unscripted(w, r, id, statusUnscripted, why)
		return
	}
	script := x.scenario.Fault
	x.serve(&exchange{x: x, op: op, number: number, attempt: attempt, conn: c, request: r,
		fault: fault.StepOf(script, number), kind: fault.TypeOf(x.scenario.Type, script, number),
		w: w, control: *http.NewResponseController(w), length: -1})
}

// serve runs the script. A script that did not end well leaves the client with
// a closed connection, never with an answer that net/http made up.
func (x *experiment) serve(ex *exchange) {
	if !x.running.enter(ex) {
		abort(ex.conn)
	}
	ex.conn.begin(ex)
	ex.started = x.clock.At(ex.record(eventlog.Event{Kind: eventlog.ServerRequestStarted, Conn: ex.conn.peer}))
	err := ex.run()
	if err != nil {
		ex.conn.Close()
	}
	ex.awaitBody()
	if err != nil {
		abort(ex.conn)
	}
}

// run records the end of the handler whatever the fault does.
func (ex *exchange) run() (err error) {
	defer ex.x.running.leave(ex)
	finished := eventlog.Event{Kind: eventlog.ServerHandlerFinished}
	defer func() {
		ex.conn.answered() // a departure after the handler's end is not one from it
		if err != nil {
			finished.Error = err.Error()
		}
		ex.record(finished)
		if ex.wire != nil {
			ex.wire.abandon()
		}
	}()
	defer ex.contain(&err)
	err = fault.Serve(ex.x.scenario.Fault, ex)
	if ex.wire == nil {
		ex.readBody()
		if sent := ex.sendHead(); err == nil {
			err = sent
		}
	}
	return err
}

func abort(c *conn) {
	c.Close()
	panic(http.ErrAbortHandler)
}

// readBody reads the request's body beside the script, from the script's first
// step on unless that takes the connection over. net/http watches a connection
// for the client's departure only once the body has been read.
func (ex *exchange) readBody() {
	body := ex.request.Body
	if body == http.NoBody || ex.reading != nil {
		return
	}
	ex.reading = make(chan struct{})
	if ex.control.EnableFullDuplex() != nil {
		close(ex.reading)
		return // not HTTP/1: the protocol reports the departure by itself
	}
	ex.beside(func() {
		defer close(ex.reading)
		if n, _ := io.CopyN(io.Discard, body, fault.MaxBodyBytes+1); n > fault.MaxBodyBytes {
			ex.conn.Close()
		}
	})
}

// awaitBody returns when nobody reads the request's body any more. Until then
// the connection is not net/http's to read the next request from. A client that
// does not send the rest of its body for too long loses the connection, as it
// would with any server that stops reading.
func (ex *exchange) awaitBody() {
	if ex.reading == nil {
		return
	}
	limit := time.NewTimer(lingers)
	defer limit.Stop()
	select {
	case <-ex.reading:
		return
	case <-limit.C:
	case <-ex.x.ended:
	}
	ex.conn.Close()
	<-ex.reading
}

// attemptOf is the number of the attempt as the client tells it, 0 if it does not.
func attemptOf(r *http.Request) (int, error) {
	text := r.Header.Get(attemptHeader)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxAttempt {
		return 0, fmt.Errorf("header %s %q: expected 1 to %d", attemptHeader, shorten(text), maxAttempt)
	}
	return n, nil
}

// unscripted answers with an error and records why.
func (x *experiment) unscripted(w http.ResponseWriter, r *http.Request, op string, status int, why string) {
	x.record(eventlog.Event{Kind: eventlog.Unscripted, Op: op, Status: status, Conn: connOf(r).peer, Error: why})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(control.ErrorBody{Error: why, Hint: x.hint(status)})
}

// hint is the next step after an answer that no script gave.
func (x *experiment) hint(status int) string {
	switch status {
	case statusUnscripted:
		return "register the operation with PUT /v1/experiments/" + x.name + "/operations/<id> and use its base_url"
	case http.StatusServiceUnavailable:
		return "raise the limit of open files (ulimit -n), or run fewer operations at a time"
	default:
		return ""
	}
}
