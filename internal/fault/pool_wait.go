package fault

import (
	"fmt"
	"net/http"
)

func init() {
	Register("pool_wait", func() Fault { return &PoolWait{HoldMs: 1100, ResponseDelayMs: 20} })
}

// PoolWait keeps a connection of the client's pool occupied: the helper's
// request gets its head and one byte at once and the rest of its body when its
// gate is released, hold_ms after t0. All other requests are healthy.
type PoolWait struct {
	Common          `yaml:",inline"`
	HoldMs          float64 `yaml:"hold_ms"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *PoolWait) Check() []Problem {
	return problems(checkDelay("hold_ms", f.HoldMs), checkDelay("response_delay_ms", f.ResponseDelayMs))
}

// Arrangement asks for the helper's request.
func (f *PoolWait) Arrangement() Arrangement { return Arrangement{HoldConnection: ms(f.HoldMs)} }

// Serve holds the helper and answers everyone else.
func (f *PoolWait) Serve(ex Exchange) error {
	if isHelper(ex) {
		return serveHeld(ex)
	}
	return respondAfter(ex, ms(f.ResponseDelayMs), http.StatusOK)
}

// serveHeld sends the head and the first byte of the body, so that the client
// has a response but not yet its connection back, and the rest after the gate.
func serveHeld(ex Exchange) error {
	body := fmt.Appendf(nil, "{\"marker\":%q}\n", ex.Marker())
	if err := ex.Headers(http.StatusOK, jsonHeader, int64(len(body))); err != nil {
		return err
	}
	if err := ex.Write(body[:1]); err != nil {
		return err
	}
	if err := ex.Hold(); err != nil {
		return err
	}
	if err := ex.Write(body[1:]); err != nil {
		return err
	}
	return ex.Finish()
}
