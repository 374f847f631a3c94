package fault

import "net/http"

func init() {
	Register("body_trickle", func() Fault { return &BodyTrickle{Bytes: 1, IntervalMs: 100, Total: 20} })
}

// BodyTrickle sends the head and the beginning of the body at once, and the
// last Total bytes of it in pieces, each an interval after the one before.
type BodyTrickle struct {
	Common     `yaml:",inline"`
	Bytes      int     `yaml:"bytes"`
	IntervalMs float64 `yaml:"interval_ms"`
	Total      int     `yaml:"total"`
}

// Check returns what is wrong with the fields.
func (f *BodyTrickle) Check() []Problem {
	return problems(
		checkCount("bytes", f.Bytes, MaxBodyBytes),
		checkDelay("interval_ms", f.IntervalMs),
		checkCount("total", f.Total, MaxBodyBytes-steadyBody),
		checkSpan("total", f.Total+f.Bytes, f.Bytes, f.IntervalMs),
	)
}

// Serve trickles the end of the body.
func (f *BodyTrickle) Serve(ex Exchange) error {
	body := rawBody(ex, f.Total+steadyBody)
	w, err := takeOverAfter(ex, 0)
	if err != nil {
		return err
	}
	slow := len(body) - f.Total
	head := append(rawHead(http.StatusOK, len(body)), endOfHead...)
	if err := w.Send(append(head, body[:slow]...)); err != nil {
		return err
	}
	if err := sendPieces(ex, w, body[slow:], f.Bytes, 1, ms(f.IntervalMs)); err != nil {
		return err
	}
	return w.End()
}
