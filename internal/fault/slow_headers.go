package fault

import "net/http"

func init() {
	Register("slow_headers", func() Fault { return &SlowHeaders{ResponseDelayMs: 800} })
}

// SlowHeaders is silent until the delay is over, then answers 200 at once.
type SlowHeaders struct {
	Common          `yaml:",inline"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *SlowHeaders) Check() []Problem {
	return problems(checkDelay("response_delay_ms", f.ResponseDelayMs))
}

// Serve answers after the delay.
func (f *SlowHeaders) Serve(ex Exchange) error {
	return respondAfter(ex, ms(f.ResponseDelayMs), http.StatusOK)
}
