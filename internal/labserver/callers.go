package labserver

import (
	"context"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Connections to the control API need no token before they ask, so nothing that
// they do may use up the files of the process. The times bound what a
// connection may take; where many come, those that have waited longest go. A
// request that was let in is bounded by neither: streams and gates wait. Data
// listeners have no such limits: there, slowness is what is measured.
const (
	headersWithin = 30 * time.Second // to send a request's head
	bodyWithin    = time.Minute      // to send its body
	idleWithin    = 2 * time.Minute  // to ask again; bench leaves before
	mostWaiting   = 128              // connections on which no request is answered that was let in
)

// callers are the connections to the control API on which no request is
// answered that was let in, each list with the one first that waits longest.
type callers struct {
	most int

	mu        sync.Mutex
	strangers []net.Conn // nobody on it was let in yet
	idle      []net.Conn // between two requests
}

// maxWaiting leaves most of a small number of open files to the data listeners.
func maxWaiting() int { return min(mostWaiting, max(8, openFiles()/4)) }

// changed follows a connection through its states, as http.Server tells them.
func (cs *callers) changed(c net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		cs.wait(&cs.strangers, c)
	case http.StateIdle:
		cs.wait(&cs.idle, c)
	case http.StateClosed, http.StateHijacked:
		cs.leave(c)
	}
}

// wait adds c to a list and closes who has waited longest if that is one too
// many, strangers first.
func (cs *callers) wait(list *[]net.Conn, c net.Conn) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	*list = append(*list, c)
	if len(cs.strangers)+len(cs.idle) <= cs.most {
		return
	}
	from := &cs.strangers
	if len(cs.strangers) == 0 {
		from = &cs.idle
	}
	(*from)[0].Close()
	*from = slices.Delete(*from, 0, 1)
}

// leave takes c off: a request on it was let in, or it is closed.
func (cs *callers) leave(c net.Conn) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, list := range []*[]net.Conn{&cs.strangers, &cs.idle} {
		if i := slices.Index(*list, c); i >= 0 {
			*list = slices.Delete(*list, i, i+1)
		}
	}
}

type callerKey struct{}

func withCaller(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// letIn notes that the request of r is answered for as long as it takes, once
// its body has come.
func (cs *callers) letIn(w http.ResponseWriter, r *http.Request) {
	cs.leave(r.Context().Value(callerKey{}).(net.Conn))
	expectBody(w, r, bodyWithin)
}

// sendAway ends the connection after the answer, and what still comes of the
// request soon after.
func sendAway(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close")
	expectBody(w, r, toldWithin)
}

// expectBody bounds the time for a request's body; decode lifts the bound.
func expectBody(w http.ResponseWriter, r *http.Request, within time.Duration) {
	if r.Body != http.NoBody {
		// A connection that cannot have a deadline is closed already.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(within))
	}
}
