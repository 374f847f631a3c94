package fault

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// rehearsedWire keeps what goes over a connection on which no time passes.
type rehearsedWire struct {
	*rehearsal
	out      bytes.Buffer
	received int64
	end      string // fin or rst; empty while the connection stays
	endAt    time.Duration
}

func (w *rehearsedWire) Send(p []byte) error {
	w.out.Write(p)
	at := w.wrote()
	if w.answer.Headers < 0 {
		w.readHead(at)
	}
	w.answer.Body = at
	return nil
}

func (w *rehearsedWire) readHead(at time.Duration) {
	if res := w.response(bytes.NewReader(w.out.Bytes())); res != nil {
		w.answer.Status, w.answer.Headers, w.header = res.StatusCode, at, res.Header
		w.answer.Says = res.Close
	}
}

// response is what a client reads of the final answer; nil while its head is
// not whole.
func (w *rehearsedWire) response(out io.Reader) *http.Response {
	r := bufio.NewReader(out)
	for {
		res, err := http.ReadResponse(r, w.Request())
		if err != nil {
			return nil
		}
		if res.StatusCode >= 200 {
			return res
		}
	}
}

// Receive gives the request's body, which the client sends at once. Who wants
// more waits in vain.
func (w *rehearsedWire) Receive(p []byte) (int, error) {
	n := min(int64(len(p)), w.request.BodyBytes-w.received)
	if n == 0 {
		return 0, ErrClosed
	}
	w.received += n
	return int(n), nil
}

func (w *rehearsedWire) Pause(due time.Time) error { return w.DelayUntil(due) }
func (w *rehearsedWire) End() error                { return w.ends("fin") }
func (w *rehearsedWire) Reset() error              { return w.ends("rst") }
func (w *rehearsedWire) KeepOpen() error           { return nil }

func (w *rehearsedWire) Close() error {
	w.answer.Unread = w.received < w.request.BodyBytes
	return w.ends("fin")
}

func (w *rehearsedWire) ends(how string) error {
	w.end, w.endAt = how, w.now.Sub(w.request.At)
	return nil
}

// conclude tells whether a client gets a complete answer. Otherwise the attempt
// ends with the connection, or never.
func (w *rehearsedWire) conclude() bool {
	w.answer.Silent = w.out.Len() == 0 && w.end != ""
	complete := w.answer.Headers >= 0 && w.readBody()
	switch {
	case complete:
	case w.end == "":
		w.answer.Body, w.answer.MaxGap = Never, Forever
	default:
		w.answer.Body, w.answer.Outcome = w.endAt, eventlog.TransportError
		w.answer.MaxGap = max(w.answer.MaxGap, w.endAt-w.last)
	}
	return complete
}

// readBody tells whether the body is complete. One that ends with the
// connection is so only after a FIN.
func (w *rehearsedWire) readBody() bool {
	out := bytes.NewReader(w.out.Bytes())
	res := w.response(out)
	if w.request.Method == http.MethodHead {
		w.answer.Garbled = !w.answer.Says
		return true
	}
	delimited := res.ContentLength < 0 && len(res.TransferEncoding) == 0
	body, err := io.ReadAll(res.Body)
	w.body.Write(body)
	return err == nil && (!delimited || w.end == "fin")
}
