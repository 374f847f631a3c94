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

	onConnection int

	calls  int
	log    []string
	status int
	body   bytes.Buffer
	length int64
	header http.Header
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
func (f *fakeExchange) Request() *http.Request  { return &http.Request{Method: http.MethodGet} }
func (f *fakeExchange) Fired()                  { f.note("fired") }
func (f *fakeExchange) Record(e eventlog.Event) { f.note("record %s", e.Kind) }
func (f *fakeExchange) Finish() error           { return f.call("finish") }
func (f *fakeExchange) OnConnection() int       { return max(f.onConnection, 1) }
func (f *fakeExchange) Commit() bool            { f.note("commit"); return true }

func (f *fakeExchange) Elsewhere(kind ConnectionKind) (string, error) {
	return "http://" + string(kind) + "/", f.call("elsewhere %s", kind)
}

func (f *fakeExchange) TakeOver() (Wire, error) { return fakeWire{f}, f.call("take over") }

// fakeWire writes to the same log.
type fakeWire struct{ *fakeExchange }

func (w fakeWire) Send(p []byte) error           { w.body.Write(p); return w.call("send %q", p) }
func (w fakeWire) Receive(p []byte) (int, error) { return len(p), w.call("receive %d", len(p)) }
func (w fakeWire) Pause(due time.Time) error     { return w.DelayUntil(due) }
func (w fakeWire) End() error                    { return w.call("end") }
func (w fakeWire) Close() error                  { return w.call("close") }
func (w fakeWire) Reset() error                  { return w.call("reset") }
func (w fakeWire) KeepOpen() error               { return w.call("keep open") }

func (f *fakeExchange) note(format string, args ...any) {
	f.log = append(f.log, fmt.Sprintf("%v ", time.Since(f.started))+fmt.Sprintf(format, args...))
}

func (f *fakeExchange) call(format string, args ...any) error {
	f.note(format, args...)
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

func (f *fakeExchange) Headers(status int, header http.Header, length int64) error {
	f.status, f.length, f.header = status, length, header
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
