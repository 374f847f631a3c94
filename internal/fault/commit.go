package fault

import (
	"errors"
	"net/http"
)

func init() {
	Register("commit", func() Fault { return &Commit{CommitAfterMs: 500, ResponseDelayMs: 600} })
}

// Commit is a request with a side effect, which happens commit_after_ms after
// the request whether or not the client is still there; the answer comes after
// its own delay. A second commit under one Idempotency-Key is none, and is
// answered all the same.
type Commit struct {
	Common          `yaml:",inline"`
	CommitAfterMs   float64 `yaml:"commit_after_ms"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *Commit) Check() []Problem {
	return problems(checkDelay("commit_after_ms", f.CommitAfterMs), checkDelay("response_delay_ms", f.ResponseDelayMs))
}

// Serve commits and answers, whichever is due first. That the client has left
// keeps the answer from it, and not the effect from happening.
func (f *Commit) Serve(ex Exchange) error {
	answer := func() error { return respondAfter(ex, ms(f.ResponseDelayMs), http.StatusOK) }
	if f.CommitAfterMs <= f.ResponseDelayMs {
		if err := f.commit(ex); err != nil {
			return err
		}
		return answer()
	}
	answered := answer()
	if answered != nil && (f.HandlerStops || !errors.Is(answered, ErrClientGone)) {
		return answered
	}
	return errors.Join(answered, f.commit(ex))
}

func (f *Commit) commit(ex Exchange) error {
	if err := ex.DelayUntil(ex.Started().Add(ms(f.CommitAfterMs))); err != nil {
		return err
	}
	ex.Commit()
	ex.Fired()
	return nil
}
