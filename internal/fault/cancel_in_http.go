package fault

import (
	"net/http"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

func init() {
	Register("cancel_in_http", func() Fault {
		return &CancelInHTTP{ResponseDelayMs: 300, Cancel: Cancel{TriggerEvent: eventlog.ServerRequestStarted, DelayAfterEventMs: 100}}
	})
}

// CancelInHTTP is an upstream that is still at work when the caller cancels.
type CancelInHTTP struct {
	Common          `yaml:",inline"`
	Cancel          `yaml:",inline"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *CancelInHTTP) Check() []Problem {
	return append(problems(checkDelay("response_delay_ms", f.ResponseDelayMs)), f.check()...)
}

// Arrangement asks for the cancel.
func (f *CancelInHTTP) Arrangement() Arrangement { return f.arrangement() }

// Serve answers after the delay, whether or not anybody still listens.
func (f *CancelInHTTP) Serve(ex Exchange) error {
	return respondAfter(ex, ms(f.ResponseDelayMs), http.StatusOK)
}
