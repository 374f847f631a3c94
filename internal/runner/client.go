package runner

import (
	"net/http"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// client is the client under one operation: its connections and its slots. It
// is shared only with the operation's helper and probe.
type client struct {
	transport *http.Transport
	conns     *connSet
	slots     chan struct{} // nil without admission
}

// newClient builds the client of one variant. tune sets what only net/http's
// transport can limit; nil sets nothing.
func newClient(s *scenario.Scenario, tune func(*http.Transport, variants.Policy), dial dialFunc) *client {
	c := &client{conns: &connSet{open: map[*conn]bool{}}}
	if s.Slots > 0 {
		c.slots = make(chan struct{}, s.Slots)
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	c.transport = &http.Transport{
		DialContext:        c.conns.dialer(dial),
		MaxConnsPerHost:    connections(s),
		DisableCompression: true, // the body read is the body on the wire
		Protocols:          protocols,
	}
	if tune != nil {
		tune(c.transport, policyOf(s, func() float64 { return 0 }))
	}
	return c
}

// close ends every connection; dials that still run are closed when they arrive.
func (c *client) close() {
	c.transport.CloseIdleConnections()
	c.conns.closeAll()
}
