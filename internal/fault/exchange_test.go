package fault

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// fakeExchange keeps what a fault does to it, with the time since the request.
type fakeExchange struct {
	op      string
	number  int
	phase   eventlog.Phase
	started time.Time
	holdFor time.Duration
	failAt  int // the n-th call fails with err
	err     error

	calls  int
	log    []string
	status int
	body   bytes.Buffer
	length int64
	wrote  []time.Duration // end of every write, the head included
}

func newFake(number int, phase eventlog.Phase) *fakeExchange {
	return &fakeExchange{op: "op-1", number: number, phase: phase, started: time.Now(), length: -2}
}

func (f *fakeExchange) Op() string              { return f.op }
func (f *fakeExchange) Number() int             { return f.number }
func (f *fakeExchange) Phase() eventlog.Phase   { return f.phase }
func (f *fakeExchange) Marker() string          { return "deadlinelab:" + f.op }
func (f *fakeExchange) Started() time.Time      { return f.started }
func (f *fakeExchange) Request() *http.Request  { return nil }
func (f *fakeExchange) Fired()                  { f.call("fired") }
func (f *fakeExchange) Record(e eventlog.Event) { f.call("record %s", e.Kind) }
func (f *fakeExchange) Finish() error           { return f.call("finish") }

func (f *fakeExchange) call(format string, args ...any) error {
	f.log = append(f.log, fmt.Sprintf("%v ", time.Since(f.started))+fmt.Sprintf(format, args...))
	if f.calls++; f.calls == f.failAt {
		return f.err
	}
	return nil
}

func (f *fakeExchange) DelayUntil(due time.Time) error {
	err := f.call("delay until %v", due.Sub(f.started))
	time.Sleep(time.Until(due))
	return err
}

func (f *fakeExchange) Headers(status int, _ http.Header, length int64) error {
	f.status, f.length = status, length
	f.wrote = append(f.wrote, time.Since(f.started))
	return f.call("headers %d", status)
}

func (f *fakeExchange) Write(p []byte) error {
	f.body.Write(p)
	f.wrote = append(f.wrote, time.Since(f.started))
	return f.call("write %s", p)
}

func (f *fakeExchange) Hold() error {
	err := f.call("hold")
	time.Sleep(f.holdFor)
	return err
}

// seen is the Answer that somebody outside would have measured.
func (f *fakeExchange) seen() Answer {
	a := Answer{Status: f.status, Headers: f.wrote[0], Body: f.wrote[len(f.wrote)-1]}
	last := time.Duration(0)
	for _, w := range f.wrote {
		a.MaxGap = max(a.MaxGap, w-last)
		last = w
	}
	return a
}
