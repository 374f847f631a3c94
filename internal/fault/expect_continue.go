package fault

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"time"
)

func init() {
	Register("expect_continue", func() Fault { return &ExpectContinue{Mode: "accept", Status: http.StatusExpectationFailed} })
}

// ExpectContinue is what becomes of a request that asks before it sends its
// body. accept: 100 at once; delay: 100 after delay_ms; ignore: no 100, so that
// the client has to give up waiting for it; each then reads the body and answers
// 200. refuse: the status at once, and the end of the connection.
type ExpectContinue struct {
	Common  `yaml:",inline"`
	Mode    string  `yaml:"mode"`
	DelayMs float64 `yaml:"delay_ms"`
	Status  int     `yaml:"status"`
}

// Reading: the body is read when its turn comes.
func (f *ExpectContinue) Reading() Reading { return Unread }

// ReceiveBuffer is the system's own choice.
func (f *ExpectContinue) ReceiveBuffer() int { return 0 }

// Check returns what is wrong with the fields.
func (f *ExpectContinue) Check() []Problem {
	list := problems(checkDelay("delay_ms", f.DelayMs), checkStatus("status", f.Status))
	switch f.Mode {
	case "accept", "ignore", "refuse", "delay":
		return list
	}
	return append(list, Problem{Field: "mode", Found: fmt.Sprintf("%q", f.Mode), Want: "accept, ignore, refuse or delay"})
}

var goOn = []byte("HTTP/1.1 100 Continue\r\n\r\n")

// Serve asks for the body, or does not.
func (f *ExpectContinue) Serve(ex Exchange) error {
	w, err := takeOverAfter(ex, f.due())
	if err != nil {
		return err
	}
	if f.Mode == "refuse" {
		return f.refuse(ex, w)
	}
	if f.Mode == "ignore" {
		w.Fired() // not to say 100 is all there is to do
	} else if err := w.Send(goOn); err != nil {
		return err
	}
	if err := receiveBody(ex.Request(), w); err != nil {
		return err
	}
	if err := w.Send(rawAnswer(ex, http.StatusOK, closes)); err != nil {
		return err
	}
	return w.End()
}

func (f *ExpectContinue) refuse(ex Exchange, w Wire) error {
	if err := w.Send(rawAnswer(ex, f.Status, closes)); err != nil {
		return err
	}
	return w.End()
}

// receiveBody reads the request's body to its end.
func receiveBody(r *http.Request, w Wire) error {
	var body io.Reader = io.LimitReader(receiver{w}, r.ContentLength)
	if r.ContentLength < 0 {
		body = httputil.NewChunkedReader(receiver{w})
	}
	n, err := io.CopyN(io.Discard, body, MaxBodyBytes+1)
	switch {
	case n > MaxBodyBytes:
		return fmt.Errorf("a request body of more than %d bytes", MaxBodyBytes)
	case err == io.EOF:
		return nil
	}
	return err
}

// receiver is a Wire as a reader.
type receiver struct{ w Wire }

func (r receiver) Read(p []byte) (int, error) { return r.w.Receive(p) }

// ContinueOf is when the server of exchange n lets a client go on that asked
// with Expect: 100-continue, and whether it answers only once the body is there;
// Never where it does not let it go on.
func ContinueOf(f Fault, n int) (at time.Duration, awaits bool) {
	switch e := StepOf(f, n).(type) {
	case *ExpectContinue:
		if e.Mode == "accept" || e.Mode == "delay" {
			return e.due(), true
		}
		return Never, e.Mode == "ignore"
	default:
		if ReadingOf(f, n) == Unread {
			return Never, false
		}
		return 0, false
	}
}

// due is when the server has made up its mind.
func (f *ExpectContinue) due() time.Duration {
	if f.Mode == "delay" {
		return ms(f.DelayMs)
	}
	return 0
}
