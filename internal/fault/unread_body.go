package fault

import (
	"io"
	"net/http"
	"time"
)

func init() {
	Register("unread_body", func() Fault {
		return &UnreadBody{Common: Common{HandlerStops: true}, IntervalMs: 100, BodyBytes: 8 << 20, ReceiveBufferBytes: 16 << 10, HoldMs: 10_000}
	})
}

// UnreadBody does not read the request's body, or only bytes of it each
// interval. It answers once body_bytes, or a body shorter than that, have been
// read. With bytes 0 it reads nothing and resets the connection after hold_ms: a
// client that leaves with a part of its body unsent cannot be noticed.
type UnreadBody struct {
	Common             `yaml:",inline"`
	Bytes              int     `yaml:"bytes"`
	IntervalMs         float64 `yaml:"interval_ms"`
	BodyBytes          int     `yaml:"body_bytes"`
	ReceiveBufferBytes int     `yaml:"receive_buffer_bytes"`
	HoldMs             float64 `yaml:"hold_ms"`
}

// Reading: by the script alone.
func (f *UnreadBody) Reading() Reading { return Unread }

// ReceiveBuffer is small, so that the client notices soon.
func (f *UnreadBody) ReceiveBuffer() int { return f.ReceiveBufferBytes }

// Check returns what is wrong with the fields.
func (f *UnreadBody) Check() []Problem {
	return problems(
		checkBetween("bytes", f.Bytes, 0, MaxBodyBytes),
		checkDelay("interval_ms", f.IntervalMs),
		checkCount("body_bytes", f.BodyBytes, MaxBodyBytes),
		checkBetween("receive_buffer_bytes", f.ReceiveBufferBytes, 0, MaxBodyBytes),
		checkDelay("hold_ms", f.HoldMs),
		checkSpan("body_bytes", f.BodyBytes+f.Bytes, f.Bytes, f.IntervalMs),
	)
}

// Serve reads nothing, or slowly.
func (f *UnreadBody) Serve(ex Exchange) error {
	if f.Bytes == 0 {
		w, err := takeOverAfter(ex, ms(f.HoldMs))
		if err != nil {
			return err
		}
		return w.Reset()
	}
	w, err := ex.TakeOver()
	if err != nil {
		return err
	}
	if err := f.receive(ex, w); err != nil {
		return err
	}
	if err := w.Send(rawAnswer(ex, http.StatusOK, closes)); err != nil {
		return err
	}
	return w.End()
}

// receive reads piece k, from 1, at k intervals.
func (f *UnreadBody) receive(ex Exchange, w Wire) error {
	left := f.BodyBytes
	if n := ex.Request().ContentLength; n > 0 && n < int64(left) {
		left = int(n)
	}
	for k := 1; left > 0; k++ {
		if err := w.Pause(ex.Started().Add(time.Duration(k) * ms(f.IntervalMs))); err != nil {
			return err
		}
		piece := min(f.Bytes, left)
		if _, err := io.CopyN(io.Discard, receiver{w}, int64(piece)); err != nil {
			return err
		}
		w.Fired()
		left -= piece
	}
	return nil
}
