package adapter_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
)

// bench is the other side of a conversation with Serve, in virtual time.
type bench struct {
	t      *testing.T
	asks   *io.PipeWriter
	events []adapter.Event
	hello  adapter.Hello
	began  time.Time
	at     []time.Duration // since began, when each event's line was written
	heard  chan struct{}
	served chan error
}

func start(t *testing.T, newClient func(adapter.Operation) adapter.Client) *bench {
	return startWith(t, adapter.Hello{Name: "test", Version: "1", Capabilities: adapter.Capabilities}, newClient)
}

func startWith(t *testing.T, hello adapter.Hello, newClient func(adapter.Operation) adapter.Client) *bench {
	in, asks := io.Pipe()
	answers, out := io.Pipe()
	b := &bench{t: t, asks: asks, began: time.Now(), heard: make(chan struct{}), served: make(chan error, 1)}
	go func() {
		err := adapter.Serve(t.Context(), in, out, hello, newClient)
		out.Close()
		b.served <- err
	}()
	go b.listen(answers)
	b.say(adapter.Hello{Type: adapter.TypeHello, Protocol: 1, Bench: "test"})
	return b
}

func call(f adapter.Func) func(adapter.Operation) adapter.Client {
	return func(adapter.Operation) adapter.Client { return f }
}

func (b *bench) listen(r io.Reader) {
	defer close(b.heard)
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var e adapter.Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			b.t.Error(err)
		}
		if e.Type == adapter.TypeHello {
			json.Unmarshal(lines.Bytes(), &b.hello)
			continue
		}
		b.events, b.at = append(b.events, e), append(b.at, time.Since(b.began))
	}
}

func (b *bench) say(message any) {
	b.t.Helper()
	line, err := json.Marshal(message)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.asks.Write(append(line, '\n')); err != nil {
		b.t.Fatal(err)
	}
	synctest.Wait()
}

func (b *bench) operation(op string, change func(*adapter.Operation)) {
	b.t.Helper()
	o := adapter.Operation{Type: adapter.TypeOperation, Op: op, Client: "c1", URL: "http://127.0.0.1:1/", Method: "GET", BudgetMs: 1000}
	if change != nil {
		change(&o)
	}
	b.say(o)
}

// end shuts down and says what Serve returned.
func (b *bench) end() error {
	b.t.Helper()
	b.say(adapter.Ask{Type: adapter.TypeShutdown})
	err := <-b.served
	b.asks.Close()
	<-b.heard
	return err
}

// told is what the events of an operation say: "event" or "event what" and
// when, in milliseconds.
func (b *bench) told(op string) []string {
	var told []string
	for i, e := range b.events {
		if e.Op == op {
			what := strings.TrimSpace(fmt.Sprint(e.Event, " ", e.Outcome, e.Limit))
			told = append(told, fmt.Sprintf("%d %s", b.at[i].Milliseconds(), what))
		}
	}
	return told
}

func (b *bench) want(op string, want ...string) {
	b.t.Helper()
	if got := b.told(op); !slices.Equal(got, want) {
		b.t.Errorf("%s: %s\nexpected %s", op, strings.Join(got, " · "), strings.Join(want, " · "))
	}
}
