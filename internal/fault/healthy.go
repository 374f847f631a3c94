package fault

import "net/http"

func init() { Register("healthy", func() Fault { return &Healthy{} }) }

// Healthy answers 200 after a short, known time.
type Healthy struct {
	Common          `yaml:",inline"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *Healthy) Check() []Problem {
	return problems(checkDelay("response_delay_ms", f.ResponseDelayMs))
}

// Serve answers after the delay.
func (f *Healthy) Serve(ex Exchange) error {
	return respondAfter(ex, ms(f.ResponseDelayMs), http.StatusOK)
}
