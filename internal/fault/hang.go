package fault

import "net/http"

func init() {
	Register("hang", func() Fault { return &Hang{Common: Common{HandlerStops: true}, DelayMs: 60_000} })
}

// Hang accepts the request and says nothing for longer than any client should
// wait. Its handler stops when the client has left, so that a run need not
// wait out the minute.
type Hang struct {
	Common  `yaml:",inline"`
	DelayMs float64 `yaml:"delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *Hang) Check() []Problem { return problems(checkDelay("delay_ms", f.DelayMs)) }

// Serve answers 200 after the delay.
func (f *Hang) Serve(ex Exchange) error { return respondAfter(ex, ms(f.DelayMs), http.StatusOK) }
