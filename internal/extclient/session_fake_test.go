package extclient

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// fake is a client whose every line a test writes itself.
type fake struct {
	t       *testing.T
	clk     clock.Clock
	session *session
	in      *bufio.Scanner // what the bench wrote
	stdin   io.Closer
	out     *io.PipeWriter
	once    sync.Once
	ended   chan struct{}
	notes   []string
}

// capable is a hello that claims everything.
var capable = map[string]any{"type": "hello", "protocol": 1, "name": "fake", "version": "1.2", "language": "test", "clock": "monotonic",
	"capabilities": adapter.Capabilities, "settings": map[string]string{"timeout": "none"}}

// newFake is a client that has said nothing yet.
func newFake(t *testing.T) *fake {
	theirIn, ourOut := io.Pipe()
	ourIn, theirOut := io.Pipe()
	f := &fake{t: t, clk: clock.New(), in: bufio.NewScanner(theirIn), stdin: theirIn, out: theirOut, ended: make(chan struct{})}
	f.session = newSession("fake", f.clk, peer{in: ourOut, out: ourIn, ended: f.ended, how: func() string { return "exit status 3" },
		wrote: func() string { return "what went wrong\n" }, kill: func() { theirIn.Close(); f.exit() }}, nil, nil)
	f.session.noteTo(func(text string) { f.notes = append(f.notes, text) })
	return f
}

// greeted is a client that said hello, changed as given.
func greeted(t *testing.T, changes map[string]any) *fake {
	f := newFake(t)
	go func() {
		f.ask()
		hello := maps.Clone(capable)
		maps.Copy(hello, changes)
		f.say(hello)
	}()
	if err := f.session.exchangeHello(context.Background(), "test"); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fake) exit() { f.once.Do(func() { close(f.ended); f.out.Close() }) }

// ask is the next message of the bench; nil at the end.
func (f *fake) ask() map[string]any {
	if !f.in.Scan() {
		return nil
	}
	m := map[string]any{}
	if err := json.Unmarshal(f.in.Bytes(), &m); err != nil {
		f.t.Errorf("the bench wrote %q: %v", f.in.Bytes(), err)
	}
	return m
}

func (f *fake) say(message any) {
	line, err := json.Marshal(message)
	if err != nil {
		f.t.Error(err)
	}
	f.raw(string(line) + "\n")
}

// raw writes text as it is. The bench may have had enough of it.
func (f *fake) raw(text string) { _, _ = io.WriteString(f.out, text) }

// event reports an event of op that happens now.
func (f *fake) event(op, kind string, more map[string]any) {
	m := map[string]any{"type": "event", "op": op, "event": kind, "t_ns": f.clk.Now()}
	maps.Copy(m, more)
	f.say(m)
}

// heard is what the bench tells of one call.
type heard struct {
	*variants.Call
	t0      []time.Time
	events  []eventlog.Event
	holding int
	ending  variants.Ending
}

func newCall(op string) *heard {
	h := &heard{}
	h.Call = &variants.Call{Op: op, Client: "c-" + op, URL: "http://127.0.0.1:1/op/" + op + "/", Marker: "marker-" + op,
		Policy:  variants.Policy{Budget: time.Second, MaxAttempts: 1},
		Began:   func(t0 time.Time) { h.t0 = append(h.t0, t0) },
		Heard:   func(e eventlog.Event) { h.events = append(h.events, e) },
		Holding: func() { h.holding++ }}
	return h
}

// start makes the call; done is closed when it has ended.
func (h *heard) start(ctx context.Context, s *session) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		h.ending = s.Call(ctx, h.Call)
	}()
	return done
}

func (h *heard) kinds() string {
	text := ""
	for _, e := range h.events {
		text += fmt.Sprintf("%s ", e.Kind)
	}
	return text
}
