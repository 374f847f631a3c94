package fault

import "net/http"

func init() {
	Register("persistent_error", func() Fault {
		return &PersistentError{Status: http.StatusServiceUnavailable, ResponseDelayMs: 50}
	})
}

// PersistentError answers every exchange with the same status.
type PersistentError struct {
	Common          `yaml:",inline"`
	Status          int     `yaml:"status"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *PersistentError) Check() []Problem {
	return problems(checkStatus("status", f.Status), checkDelay("response_delay_ms", f.ResponseDelayMs))
}

// Serve answers after the delay.
func (f *PersistentError) Serve(ex Exchange) error {
	return respondAfter(ex, ms(f.ResponseDelayMs), f.Status)
}
