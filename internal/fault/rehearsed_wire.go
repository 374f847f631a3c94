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
	out   bytes.Buffer
	end   string // fin or rst; empty while the connection stays
	endAt time.Duration
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
	if res := w.response(); res != nil {
		w.answer.Status, w.answer.Headers, w.header = res.StatusCode, at, res.Header
	}
}

// response is what a client reads of the final answer; nil while its head is
// not whole.
func (w *rehearsedWire) response() *http.Response {
	r := bufio.NewReader(bytes.NewReader(w.out.Bytes()))
	for {
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			return nil
		}
		if res.StatusCode >= 200 {
			return res
		}
	}
}

// Receive: the client sends whatever is waited for.
func (w *rehearsedWire) Receive(p []byte) (int, error) { return len(p), nil }
func (w *rehearsedWire) Pause(due time.Time) error     { return w.DelayUntil(due) }
func (w *rehearsedWire) End() error                    { return w.ends("fin") }
func (w *rehearsedWire) Close() error                  { return w.ends("fin") }
func (w *rehearsedWire) Reset() error                  { return w.ends("rst") }

func (w *rehearsedWire) ends(how string) error {
	w.end, w.endAt = how, w.now.Sub(w.started)
	return nil
}

func (w *rehearsedWire) KeepOpen() error { return nil }

// conclude tells whether a client gets a complete answer. Otherwise the attempt
// ends with the connection, or never.
func (w *rehearsedWire) conclude() bool {
	complete := w.answer.Headers >= 0 && w.readBody(w.response())
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
func (w *rehearsedWire) readBody(res *http.Response) bool {
	delimited := res.ContentLength < 0 && len(res.TransferEncoding) == 0
	body, err := io.ReadAll(res.Body)
	w.body.Write(body)
	return err == nil && (!delimited || w.end == "fin")
}
