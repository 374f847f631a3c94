package fault

import "net/http"

func init() {
	Register("semaphore_wait", func() Fault { return &SemaphoreWait{HoldMs: 1100, ResponseDelayMs: 20} })
}

// SemaphoreWait is a healthy upstream behind an occupied slot: another
// operation holds the client's only slot until hold_ms after t0.
type SemaphoreWait struct {
	Common          `yaml:",inline"`
	HoldMs          float64 `yaml:"hold_ms"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *SemaphoreWait) Check() []Problem {
	return problems(checkDelay("hold_ms", f.HoldMs), checkDelay("response_delay_ms", f.ResponseDelayMs))
}

// Arrangement asks for the occupied slot.
func (f *SemaphoreWait) Arrangement() Arrangement { return Arrangement{HoldSlot: ms(f.HoldMs)} }

// Serve answers after the delay.
func (f *SemaphoreWait) Serve(ex Exchange) error {
	return respondAfter(ex, ms(f.ResponseDelayMs), http.StatusOK)
}
