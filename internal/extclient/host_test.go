package extclient

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// upstream answers every request with the operation's marker.
func upstream(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "marker-"+filepath.Base(r.URL.Path))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// promptly makes programs with the race detector end without a second's sleep.
const promptly = "GORACE=atexit_sleep_ms=0"

func startTest(t *testing.T, name string, argv []string) (variants.Variant, func()) {
	t.Helper()
	v, stop, err := StartAdapter(t.Context(), name, argv, AdapterOptions{Clock: clock.New(), Version: "test", Env: append(os.Environ(), promptly)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return v, stop
}

// A process that package adapter serves is a client, and ends when it is told to.
func TestAdapterProcess(t *testing.T) {
	v, stop := startTest(t, "good", as("adapter"))
	f := v.External
	if v.Name != "good" || f.Program != "net/http" || f.Kind != eventlog.AdapterClient || f.Settings["timeout"] != "budget" || !f.Able("slots") || f.Clock == "" {
		t.Errorf("%+v %+v", v, f)
	}
	call := newCall("a")
	call.URL = upstream(t) + "/op/a"
	before := time.Now()
	ending := f.Caller.Call(t.Context(), call.Call)
	after := time.Now()
	if ending.Outcome != eventlog.Success || ending.Status != 200 || ending.Broken != "" {
		t.Errorf("%+v", ending)
	}
	if t0 := call.t0[0]; t0.Before(before) || ending.At.Before(t0) || after.Before(ending.At) {
		t.Errorf("called from %v to %v, the client says from %v to %v", before, after, t0, ending.At)
	}
	f.Caller.Forget(call.Client)
	stop()
	if how := f.Caller.(*session).peer.how(); how != "exit status 0" {
		t.Errorf("it ended with %s", how)
	}
}

// Slots of a real client are held by the bench for as long as it says.
func TestAdapterProcessHoldsSlots(t *testing.T) {
	v, _ := startTest(t, "good", as("adapter"))
	until, holding := make(chan time.Time, 1), make(chan struct{})
	hold := newCall("h")
	hold.Client, hold.Slots, hold.HoldSlots, hold.Until, hold.Holding = "c", 1, true, until, func() { close(holding) }
	done := hold.start(t.Context(), v.External.Caller.(*session))
	<-holding
	until <- time.Now().Add(30 * time.Millisecond)
	<-done
	if hold.ending.Outcome != eventlog.Success || hold.ending.Broken != "" || hold.kinds() != "admission_wait_started admission_acquired admission_released " {
		t.Errorf("%+v after %s", hold.ending, hold.kinds())
	}
}

// A program that is not there is named.
func TestAdapterCannotBeStarted(t *testing.T) {
	_, _, err := StartAdapter(t.Context(), "gone", []string{"/nonexistent/client", "x"}, AdapterOptions{Clock: clock.New()})
	if err == nil || !strings.HasPrefix(err.Error(), `client gone: "/nonexistent/client" cannot be started: `) {
		t.Error(err)
	}
}

// Hostile clients are named, with what they did, within some seconds, and cost
// nobody else anything.
func TestHostileAdapters(t *testing.T) {
	url := upstream(t)
	good, _ := startTest(t, "good", as("adapter"))
	for name, want := range map[string]string{
		"garbage":           `found "Traceback (most recent call last):", expected one JSON object on each line`,
		"wrong protocol":    `in its hello: found protocol 2, expected protocol 1`,
		"no hello":          `it ended with exit status 64, expected it to run until shutdown; its standard error ends with "usage: client NAME"`,
		"crash":             `it ended with exit status 3, expected it to run until shutdown; its standard error ends with "out of\a luck"`,
		"exit 0":            `it ended with exit status 0, expected it to run until shutdown`,
		"killed":            `it ended with `,
		"1 GB on one line":  `expected at most 65536 bytes before the end of a line`,
		"1 GB on stderr":    `a flood on its standard error: more than 67108864 bytes`,
		"flood":             `a flood: more than 10000 events of a`,
		"closes its output": `it closed its standard output and runs on`,
		"forks":             `it ended with exit status 0`,
		"forks away":        `it ended with exit status 0`,
		"finished twice":    `operation_finished of a, which has ended`,
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			began := time.Now()
			said := sayOfHostile(t, name)
			if !strings.HasPrefix(said, "client hostile: ") || !strings.Contains(said, want) {
				t.Errorf("said %s, want %s in it", said, want)
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("it took %s", took)
			}
			call := newCall(strings.ReplaceAll(name, " ", "_"))
			call.URL = url + "/op/" + call.Op
			if e := good.External.Caller.Call(t.Context(), call.Call); e.Outcome != eventlog.Success {
				t.Errorf("the other client: %+v", e)
			}
		})
	}
}

// sayOfHostile is what is said of a hostile client that is asked for one call
// and stopped.
func sayOfHostile(t *testing.T, name string) string {
	v, stop, err := StartAdapter(t.Context(), "hostile", as("hostile", name), AdapterOptions{Clock: clock.New(), Env: append(os.Environ(), promptly)})
	if err != nil {
		return err.Error()
	}
	defer stop()
	s := v.External.Caller.(*session)
	call := newCall("a")
	if e := s.Call(t.Context(), call.Call); e.Broken == "" && name != "finished twice" {
		t.Errorf("ended with %+v", e)
	}
	select {
	case <-s.over:
	case <-t.Context().Done():
	}
	return s.whyBroken().Error()
}

// One that never finishes reaches the cap; it is killed at the end all the same.
func TestAdapterNeverFinishes(t *testing.T) {
	v, stop := startTest(t, "hostile", as("hostile", "never finishes"))
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, variants.ErrCap)
	defer cancel()
	if e := v.External.Caller.Call(ctx, newCall("a").Call); e.Outcome != eventlog.CapReached || e.Broken != "" {
		t.Errorf("%+v", e)
	}
	stop()
	if how := v.External.Caller.(*session).peer.how(); how == "exit status 0" {
		t.Errorf("it ended with %s", how)
	}
}
