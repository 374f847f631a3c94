package fault

import (
	"fmt"
	"net/http"
)

func init() {
	Register("transient_error", func() Fault {
		return &TransientError{Steps: []Step{{Status: http.StatusServiceUnavailable, DelayMs: 50}, {Status: http.StatusOK, DelayMs: 50}}}
	})
}

// TransientError answers exchange n of an operation with step n; the last step
// repeats.
type TransientError struct {
	Common `yaml:",inline"`
	Steps  []Step `yaml:"steps"`
}

// Step is one answer of a script.
type Step struct {
	Status  int     `yaml:"status"`
	DelayMs float64 `yaml:"delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *TransientError) Check() []Problem {
	if len(f.Steps) == 0 || len(f.Steps) > MaxSteps {
		return []Problem{{Field: "steps", Found: fmt.Sprintf("%d steps", len(f.Steps)), Want: fmt.Sprintf("1 to %d steps {status, delay_ms}", MaxSteps)}}
	}
	var list []Problem
	for i, s := range f.Steps {
		at := fmt.Sprintf("steps[%d].", i)
		list = append(list, problems(checkStatus(at+"status", s.Status), checkDelay(at+"delay_ms", s.DelayMs))...)
	}
	return list
}

// Serve answers with the step of this exchange.
func (f *TransientError) Serve(ex Exchange) error {
	s := f.step(ex.Number())
	return respondAfter(ex, ms(s.DelayMs), s.Status)
}

func (f *TransientError) step(n int) Step { return f.Steps[min(n, len(f.Steps))-1] }
