package fault

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// steadyBody is the length of a whole body on the wire. It holds the longest
// marker, so that every operation's answer has the same number of bytes.
const steadyBody = 160

// rawBody is the JSON text of a success, with blanks in front up to a length.
func rawBody(ex Exchange, length int) []byte {
	text := bodyOf(ex, http.StatusOK)
	return append(bytes.Repeat([]byte(" "), max(length-len(text), 0)), text...)
}

// paddingAtOnce is how much padding is made and sent at once: what takes long to
// make is sent late.
const paddingAtOnce = 64 << 10

// sendPadded sends p and n bytes of padding.
func sendPadded(w Wire, p []byte, padding string, n int) error {
	first := min(n, paddingAtOnce)
	if err := w.Send(append(p, strings.Repeat(padding, first)...)); err != nil {
		return err
	}
	more := []byte(strings.Repeat(padding, min(n-first, paddingAtOnce)))
	for n -= first; n > 0; n -= len(more) {
		if err := w.Send(more[:min(n, len(more))]); err != nil {
			return err
		}
	}
	return nil
}

// rawHead is a response head that announces length bytes of body, less its
// last CRLF: fields may follow.
func rawHead(status, length int) []byte {
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n", status, http.StatusText(status), length)
}

var endOfHead = []byte("\r\n")

// closes announces the end of the connection: without it the client's next
// request races with the FIN.
const closes = "Connection: close"

// rawAnswer is a whole answer: the success of the operation, or a text without
// its marker.
func rawAnswer(ex Exchange, status int, fields ...string) []byte {
	body := rawBody(ex, steadyBody)
	if status >= 300 {
		body = bodyOf(ex, status)
	}
	answer := rawHead(status, len(body))
	for _, f := range fields {
		answer = append(append(answer, f...), endOfHead...)
	}
	return append(append(answer, endOfHead...), body...)
}

// takeOverAfter takes the connection over and waits until delay after the
// request's head.
func takeOverAfter(ex Exchange, delay time.Duration) (Wire, error) {
	w, err := ex.TakeOver()
	if err != nil {
		return nil, err
	}
	return w, w.Pause(ex.Started().Add(delay))
}

// inPieces is how many pieces of size bytes n bytes make.
func inPieces(n, size int) int { return (n + size - 1) / size }

// sendPieces sends p in pieces of size bytes, piece k, counted from first, at k
// intervals after the request's head.
func sendPieces(ex Exchange, w Wire, p []byte, size, first int, interval time.Duration) error {
	for k := first; len(p) > 0; k++ {
		if err := w.Pause(ex.Started().Add(time.Duration(k) * interval)); err != nil {
			return err
		}
		n := min(size, len(p))
		if err := w.Send(p[:n]); err != nil {
			return err
		}
		p = p[n:]
	}
	return nil
}
