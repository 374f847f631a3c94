package fault

import (
	"bytes"
	"time"
)

func init() {
	Register("header_drip", func() Fault { return &HeaderDrip{PieceBytes: 2, IntervalMs: 50, HeadBytes: 80} })
}

// smallestHead is that of a head with a status line, Content-Length and
// padding.
const smallestHead = 64

// HeaderDrip sends the response head in pieces: the first at once, each further
// one an interval after the one before. The body comes with the last piece.
type HeaderDrip struct {
	Common     `yaml:",inline"`
	PieceBytes int     `yaml:"piece_bytes"`
	IntervalMs float64 `yaml:"interval_ms"`
	HeadBytes  int     `yaml:"head_bytes"`
}

// Check returns what is wrong with the fields.
func (f *HeaderDrip) Check() []Problem {
	return problems(
		checkCount("piece_bytes", f.PieceBytes, MaxHeadBytes),
		checkDelay("interval_ms", f.IntervalMs),
		checkBetween("head_bytes", f.HeadBytes, smallestHead, MaxHeadBytes),
		checkSpan("head_bytes", f.HeadBytes, f.PieceBytes, f.IntervalMs),
	)
}

// Serve drips the head.
func (f *HeaderDrip) Serve(ex Exchange) error {
	w, err := ex.TakeOver()
	if err != nil {
		return err
	}
	head, body := f.head(), rawBody(ex, steadyBody)
	last := (f.pieces() - 1) * f.PieceBytes
	if err := sendPieces(ex, w, head[:last], f.PieceBytes, 0, ms(f.IntervalMs)); err != nil {
		return err
	}
	if err := w.Pause(ex.Started().Add(f.due())); err != nil {
		return err
	}
	if err := w.Send(append(head[last:], body...)); err != nil {
		return err
	}
	return w.End()
}

// head is padded to the length asked for.
func (f *HeaderDrip) head() []byte {
	const line, end = "HTTP/1.1 200 OK\r\nContent-Length: 160\r\nX-Pad: ", "\r\n\r\n"
	pad := bytes.Repeat([]byte("."), f.HeadBytes-len(line)-len(end))
	return append(append([]byte(line), pad...), end...)
}

func (f *HeaderDrip) pieces() int { return inPieces(f.HeadBytes, f.PieceBytes) }

// due is when the last piece is.
func (f *HeaderDrip) due() time.Duration { return time.Duration(f.pieces()-1) * ms(f.IntervalMs) }
