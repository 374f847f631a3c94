package runner

import (
	"net/http"

	"github.com/deadlinelab/deadlinelab/internal/instrument"
	"github.com/deadlinelab/deadlinelab/internal/predict"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// client is what one caller calls through: connections, slots, and what it may
// repeat. It is shared with the operation's helper and probe, and with the other
// callers of its item as far as the scenario says so.
type client struct {
	transport *http.Transport
	conns     *instrument.Connections
	slots     chan struct{}         // nil without admission
	retries   *variants.RetryBudget // nil for a caller of its own
}

// newClient builds the client of one variant. tune sets what only net/http's
// transport can limit; nil sets nothing.
func newClient(s *scenario.Scenario, tune func(*http.Transport, variants.Policy), dial instrument.Dial) *client {
	c := &client{conns: instrument.NewConnections(), slots: newSlots(s)}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	c.transport = &http.Transport{
		DialContext:        c.conns.Dialer(dial),
		MaxConnsPerHost:    s.Connections(),
		DisableCompression: true, // the body read is the body on the wire
		Protocols:          protocols,
	}
	if tune != nil {
		tune(c.transport, predict.Policy(s, func() float64 { return 0 }))
	}
	return c
}

func newSlots(s *scenario.Scenario) chan struct{} {
	if s.Slots == 0 {
		return nil
	}
	return make(chan struct{}, s.Slots)
}

// newClients builds what each caller of one item calls through: one client,
// of which they have in common what the scenario says.
func newClients(s *scenario.Scenario, tune func(*http.Transport, variants.Policy), dial instrument.Dial) []*client {
	first := newClient(s, tune, dial)
	if s.Callers == nil {
		return []*client{first}
	}
	first.retries = &variants.RetryBudget{}
	first.conns.Shared = s.Shares(scenario.ShareTransport)
	list := make([]*client, s.Callers.Count)
	for i := range list {
		list[i] = first.sibling(s, tune, dial, i)
	}
	return list
}

// sibling is the client of caller i, from 0.
func (c *client) sibling(s *scenario.Scenario, tune func(*http.Transport, variants.Policy), dial instrument.Dial, i int) *client {
	if i == 0 {
		return c
	}
	other := *c
	if !s.Shares(scenario.ShareTransport) {
		own := newClient(s, tune, dial)
		other.transport, other.conns = own.transport, own.conns
	}
	if !s.Shares(scenario.ShareSlots) {
		other.slots = newSlots(s)
	}
	return &other
}

// close ends every connection and every dial.
func (c *client) close() {
	c.transport.CloseIdleConnections()
	c.conns.CloseAll()
}
