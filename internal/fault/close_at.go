package fault

import "net/http"

func init() {
	Register("close_at", func() Fault { return &CloseAt{At{}} })
	Register("reset_at", func() Fault { return &ResetAt{At{}} })
}

// CloseAt sends the first bytes of a healthy answer, head and body, and ends
// the connection with a FIN: with 0, a server that reads the request and hangs
// up.
type CloseAt struct {
	At `yaml:",inline"`
}

// ResetAt is the same with a reset.
type ResetAt struct {
	At `yaml:",inline"`
}

// At is the byte of an answer at which it breaks off, and when.
type At struct {
	Common          `yaml:",inline"`
	Byte            int     `yaml:"byte"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *At) Check() []Problem {
	return problems(checkBetween("byte", f.Byte, 0, wholeAnswer()), checkDelay("response_delay_ms", f.ResponseDelayMs))
}

// wholeAnswer is the number of bytes of a healthy answer on the wire.
func wholeAnswer() int { return steadyHead() + steadyBody }

func steadyHead() int { return len(rawHead(http.StatusOK, steadyBody)) + len(endOfHead) }

func (f *At) begin(ex Exchange) (Wire, error) {
	w, err := takeOverAfter(ex, ms(f.ResponseDelayMs))
	if err != nil || f.Byte == 0 {
		return w, err
	}
	return w, w.Send(rawAnswer(ex, http.StatusOK)[:f.Byte])
}

// Serve ends with a FIN.
func (f *CloseAt) Serve(ex Exchange) error {
	w, err := f.begin(ex)
	if err != nil {
		return err
	}
	return w.End()
}

// Serve ends with a reset.
func (f *ResetAt) Serve(ex Exchange) error {
	w, err := f.begin(ex)
	if err != nil {
		return err
	}
	return w.Reset()
}
