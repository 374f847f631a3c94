package fault

import (
	"net/http"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

func init() {
	Register("cancel_in_backoff", func() Fault {
		return &CancelInBackoff{Status: http.StatusServiceUnavailable,
			Cancel: Cancel{TriggerEvent: eventlog.BackoffStarted, DelayAfterEventMs: 50}}
	})
}

// CancelInBackoff answers with a status that makes the client pause; the
// caller cancels inside that pause.
type CancelInBackoff struct {
	Common          `yaml:",inline"`
	Cancel          `yaml:",inline"`
	Status          int     `yaml:"status"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *CancelInBackoff) Check() []Problem {
	return append(problems(checkStatus("status", f.Status), checkDelay("response_delay_ms", f.ResponseDelayMs)), f.check()...)
}

// Arrangement asks for the cancel.
func (f *CancelInBackoff) Arrangement() Arrangement { return f.arrangement() }

// Serve answers with the status after the delay.
func (f *CancelInBackoff) Serve(ex Exchange) error {
	return respondAfter(ex, ms(f.ResponseDelayMs), f.Status)
}
