package fault

import (
	"net/http"
	"time"
)

func init() {
	Register("keep_alive", func() Fault { return &KeepAlive{CloseAfter: 1, ResponseDelayMs: 20} })
}

// KeepAlive is a healthy server that closes connections without saying so
// before: after close_after answers on one (0 = never), after idle_close_ms
// without a request (0 = never), and with close_on_next when a second request
// arrives on one, which is read and not answered.
type KeepAlive struct {
	Common          `yaml:",inline"`
	CloseAfter      int     `yaml:"close_after"`
	IdleCloseMs     float64 `yaml:"idle_close_ms"`
	CloseOnNext     bool    `yaml:"close_on_next"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *KeepAlive) Check() []Problem {
	return problems(
		checkBetween("close_after", f.CloseAfter, 0, MaxSteps),
		checkDelay("idle_close_ms", f.IdleCloseMs),
		checkDelay("response_delay_ms", f.ResponseDelayMs),
	)
}

// IdleClose is after which silence between two requests the server closes a
// connection; 0 = never.
func (f *KeepAlive) IdleClose() time.Duration { return ms(f.IdleCloseMs) }

// IdleCloseOf is after which silence that follows exchange n of an operation the
// server closes its connection; 0 = never.
func IdleCloseOf(f Fault, n int) time.Duration {
	if closer, ok := StepOf(f, n).(interface{ IdleClose() time.Duration }); ok {
		return closer.IdleClose()
	}
	return 0
}

// Serve answers or closes by the number of the exchange on its connection.
func (f *KeepAlive) Serve(ex Exchange) error {
	n := ex.OnConnection()
	switch {
	case f.CloseOnNext && n > 1:
		w, err := takeOverAfter(ex, 0)
		if err != nil {
			return err
		}
		return w.End()
	case f.CloseAfter > 0 && n >= f.CloseAfter:
		return f.answerAndClose(ex)
	}
	return respondAfter(ex, ms(f.ResponseDelayMs), http.StatusOK)
}

func (f *KeepAlive) answerAndClose(ex Exchange) error {
	w, err := takeOverAfter(ex, ms(f.ResponseDelayMs))
	if err != nil {
		return err
	}
	if err := w.Send(rawAnswer(ex, http.StatusOK)); err != nil {
		return err
	}
	return w.End()
}
