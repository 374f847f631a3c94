package fault

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// forEach runs a test over every registered fault, so that a new one is
// covered by being registered.
func forEach(t *testing.T, test func(t *testing.T, f Fault)) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			f, _ := New(name)
			synctest.Test(t, func(t *testing.T) { test(t, f) })
		})
	}
}

func TestDefaultsAreValid(t *testing.T) {
	forEach(t, func(t *testing.T, f Fault) {
		if found := f.Check(); len(found) != 0 {
			t.Errorf("%+v", found)
		}
	})
}

// An answer through the server's own HTTP is JSON. The marker is in a body that
// is a success, complete in its last write alone, and in no other. An announced
// length is kept.
func TestBodies(t *testing.T) {
	forEach(t, func(t *testing.T, f Fault) {
		for n := 1; n <= 2; n++ {
			ex := newFake(n, eventlog.Measured)
			if err := Serve(f, ex); err != nil {
				t.Fatal(err)
			}
			if ex.status != 0 {
				checkBody(t, ex, Rehearse(f, Request{Phase: eventlog.Measured, Number: n}))
			}
		}
	})
}

func checkBody(t *testing.T, ex *fakeExchange, a Answer) {
	body := ex.body.String()
	if a.Outcome == "" && !json.Valid(ex.body.Bytes()) {
		t.Errorf("exchange %d: not JSON: %q", ex.number, body)
	}
	if got, want := strings.Contains(body, ex.Marker()), ex.status < 300 && a.Outcome == ""; got != want && ex.header.Get("Content-Encoding") == "" {
		t.Errorf("exchange %d, status %d: marker in body is %v", ex.number, ex.status, got)
	}
	if ex.length >= 0 && ex.length != int64(len(body)) {
		t.Errorf("exchange %d: %d bytes announced, %d written", ex.number, ex.length, len(body))
	}
}

func TestProbeIsServedAtOnce(t *testing.T) {
	forEach(t, func(t *testing.T, f Fault) {
		if got, want := Rehearse(f, Request{Phase: eventlog.Probe, Number: 1}), (Answer{Status: 200, Keeps: true}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

// Whichever call of the Exchange fails, Serve ends with that error and without
// another call.
func TestServeEndsAtTheFirstError(t *testing.T) {
	forEach(t, func(t *testing.T, f Fault) {
		for _, phase := range []eventlog.Phase{eventlog.Measured, eventlog.Helper} {
			whole := newFake(1, phase)
			if err := Serve(f, whole); err != nil {
				t.Fatal(err)
			}
			for n := 1; n <= whole.calls; n += 1 + n/20 {
				ex := newFake(1, phase)
				ex.failAt, ex.err = n, ErrClientGone
				if err := Serve(f, ex); !errors.Is(err, ErrClientGone) || ex.calls != n {
					t.Errorf("%s, call %d of %d failed: error %v after %d calls", phase, n, whole.calls, err, ex.calls)
				}
			}
		}
	})
}

func TestRegisteringTwicePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Register("healthy", func() Fault { return &Healthy{} })
}

func TestUnknownFault(t *testing.T) {
	if f, ok := New("slow_haeders"); ok {
		t.Errorf("got %T", f)
	}
}
