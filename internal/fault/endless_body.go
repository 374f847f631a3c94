package fault

import (
	"bytes"
	"fmt"
)

func init() {
	Register("endless_body", func() Fault { return &EndlessBody{Bytes: 1024, IntervalMs: 50, ForMs: 60_000} })
}

// EndlessBody sends a chunked body that goes on and on: a piece at once and one
// more each interval. It never comes to an end; for_ms after the request the
// connection does.
type EndlessBody struct {
	Common     `yaml:",inline"`
	Bytes      int     `yaml:"bytes"`
	IntervalMs float64 `yaml:"interval_ms"`
	ForMs      float64 `yaml:"for_ms"`
}

// Check returns what is wrong with the fields.
func (f *EndlessBody) Check() []Problem {
	list := problems(checkCount("bytes", f.Bytes, MaxBodyBytes), checkDelay("interval_ms", f.IntervalMs), checkDelay("for_ms", f.ForMs))
	if len(list) > 0 {
		return list
	}
	if f.IntervalMs < 1 {
		return []Problem{{Field: "interval_ms", Found: number(f.IntervalMs), Want: "1 or more: an endless body needs a pace"}}
	}
	if n := f.pieces(); n > MaxChunks || n*f.Bytes > MaxBodyBytes {
		return []Problem{{Field: "for_ms", Found: fmt.Sprintf("%d pieces of %d bytes", n, f.Bytes), Want: fmt.Sprintf("at most %d pieces and %d bytes", MaxChunks, MaxBodyBytes)}}
	}
	return nil
}

// Serve sends piece after piece.
func (f *EndlessBody) Serve(ex Exchange) error {
	piece := fmt.Appendf(nil, "%x\r\n%s\r\n", f.Bytes, bytes.Repeat([]byte("."), f.Bytes))
	w, err := takeOverAfter(ex, 0)
	if err != nil {
		return err
	}
	if err := w.Send([]byte("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n")); err != nil {
		return err
	}
	for k := range f.pieces() {
		if err := sendPieces(ex, w, piece, len(piece), k, ms(f.IntervalMs)); err != nil {
			return err
		}
	}
	if err := w.Pause(ex.Started().Add(ms(f.ForMs))); err != nil {
		return err
	}
	return w.End()
}

// pieces that are due before for_ms.
func (f *EndlessBody) pieces() int { return int(max(ms(f.ForMs)-1, 0)/ms(f.IntervalMs)) + 1 }
