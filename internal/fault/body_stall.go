package fault

import "net/http"

func init() {
	Register("body_stall", func() Fault { return &BodyStall{AfterBytes: 5} })
}

// BodyStall sends the head and the first bytes of the body, then nothing until
// the client leaves.
type BodyStall struct {
	Common          `yaml:",inline"`
	AfterBytes      int     `yaml:"after_bytes"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *BodyStall) Check() []Problem {
	return problems(
		checkBetween("after_bytes", f.AfterBytes, 0, MaxBodyBytes-steadyBody),
		checkDelay("response_delay_ms", f.ResponseDelayMs),
	)
}

// Serve announces more than it sends.
func (f *BodyStall) Serve(ex Exchange) error {
	head := append(rawHead(http.StatusOK, f.AfterBytes+steadyBody), endOfHead...)
	w, err := takeOverAfter(ex, ms(f.ResponseDelayMs))
	if err != nil {
		return err
	}
	if err := sendPadded(w, head, " ", f.AfterBytes); err != nil {
		return err
	}
	return w.KeepOpen()
}
