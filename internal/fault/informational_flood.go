package fault

import (
	"fmt"
	"net/http"
)

func init() {
	Register("informational_flood", func() Fault {
		return &InformationalFlood{Status: http.StatusEarlyHints, IntervalMs: 50, Count: 40}
	})
}

// InformationalFlood sends heads of 1xx, the first after one interval, and the
// answer right behind the last one.
type InformationalFlood struct {
	Common     `yaml:",inline"`
	Status     int     `yaml:"status"`
	IntervalMs float64 `yaml:"interval_ms"`
	Count      int     `yaml:"count"`
}

// Check returns what is wrong with the fields.
func (f *InformationalFlood) Check() []Problem {
	list := problems(
		checkDelay("interval_ms", f.IntervalMs),
		checkCount("count", f.Count, MaxChunks),
		checkSpan("count", f.Count+1, 1, f.IntervalMs),
	)
	if f.Status < 100 || f.Status > 199 || f.Status == http.StatusSwitchingProtocols {
		list = append(list, Problem{Field: "status", Found: fmt.Sprint(f.Status), Want: "100, or 102 to 199: 101 is a final answer"})
	}
	return list
}

// Serve floods, then answers.
func (f *InformationalFlood) Serve(ex Exchange) error {
	w, err := ex.TakeOver()
	if err != nil {
		return err
	}
	piece := fmt.Appendf(nil, "HTTP/1.1 %d %s\r\n\r\n", f.Status, http.StatusText(f.Status))
	for k := 1; k <= f.Count; k++ {
		if err := sendPieces(ex, w, piece, len(piece), k, ms(f.IntervalMs)); err != nil {
			return err
		}
	}
	if err := w.Send(rawAnswer(ex, http.StatusOK, closes)); err != nil {
		return err
	}
	return w.End()
}
