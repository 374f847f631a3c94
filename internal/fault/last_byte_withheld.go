package fault

import "net/http"

func init() {
	Register("last_byte_withheld", func() Fault { return &LastByteWithheld{} })
}

// LastByteWithheld sends everything but the last byte of the body at once. That
// byte comes hold_ms after the request, or with 0 never.
type LastByteWithheld struct {
	Common `yaml:",inline"`
	HoldMs float64 `yaml:"hold_ms"`
}

// Check returns what is wrong with the fields.
func (f *LastByteWithheld) Check() []Problem { return problems(checkDelay("hold_ms", f.HoldMs)) }

// Serve withholds the byte.
func (f *LastByteWithheld) Serve(ex Exchange) error {
	w, err := takeOverAfter(ex, 0)
	if err != nil {
		return err
	}
	answer := rawAnswer(ex, http.StatusOK)
	last := len(answer) - 1
	if err := w.Send(answer[:last]); err != nil {
		return err
	}
	if f.HoldMs == 0 {
		return w.KeepOpen()
	}
	if err := w.Pause(ex.Started().Add(ms(f.HoldMs))); err != nil {
		return err
	}
	if err := w.Send(answer[last:]); err != nil {
		return err
	}
	return w.End()
}
