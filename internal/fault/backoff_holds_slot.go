package fault

import (
	"net/http"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

func init() {
	Register("backoff_holds_slot", func() Fault {
		return &BackoffHoldsSlot{Status: http.StatusServiceUnavailable, ResponseDelayMs: 20}
	})
}

// BackoffHoldsSlot sends a first operation of the same client, the helper,
// into its backoff with a status at once; the measured operation arrives in
// that pause and is healthy. Whether it waits depends on who keeps the slot.
type BackoffHoldsSlot struct {
	Common          `yaml:",inline"`
	Status          int     `yaml:"status"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *BackoffHoldsSlot) Check() []Problem {
	return problems(checkStatus("status", f.Status), checkDelay("response_delay_ms", f.ResponseDelayMs))
}

// Arrangement asks for the operation that goes first.
func (f *BackoffHoldsSlot) Arrangement() Arrangement {
	return Arrangement{LeadUntil: eventlog.BackoffStarted}
}

// Serve fails the helper's first exchange and answers all others.
func (f *BackoffHoldsSlot) Serve(ex Exchange) error {
	if isHelper(ex) && ex.Number() == 1 {
		return respondAfter(ex, 0, f.Status)
	}
	return respondAfter(ex, ms(f.ResponseDelayMs), http.StatusOK)
}
