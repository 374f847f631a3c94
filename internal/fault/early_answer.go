package fault

import "net/http"

func init() {
	Register("early_answer", func() Fault { return &EarlyAnswer{Status: http.StatusUnauthorized} })
}

// EarlyAnswer answers without reading the request's body and closes the
// connection as careless servers do. If some of the body is unread, that is a
// reset, which may reach the client before the answer does.
type EarlyAnswer struct {
	Common          `yaml:",inline"`
	Status          int     `yaml:"status"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Reading: never.
func (f *EarlyAnswer) Reading() Reading { return Unread }

// ReceiveBuffer is the system's own choice.
func (f *EarlyAnswer) ReceiveBuffer() int { return 0 }

// Check returns what is wrong with the fields.
func (f *EarlyAnswer) Check() []Problem {
	return problems(checkStatus("status", f.Status), checkBodyAllowed("status", f.Status), checkDelay("response_delay_ms", f.ResponseDelayMs))
}

// Serve answers and closes.
func (f *EarlyAnswer) Serve(ex Exchange) error {
	w, err := takeOverAfter(ex, ms(f.ResponseDelayMs))
	if err != nil {
		return err
	}
	if err := w.Send(rawAnswer(ex, f.Status, closes)); err != nil {
		return err
	}
	return w.Close()
}
