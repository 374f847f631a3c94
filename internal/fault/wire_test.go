package fault

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// What a fault does to a connection that it has taken over, call by call.
func TestServeOnTheWire(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault Fault
		conn  int // number on its connection
		want  []string
	}{
		{"a request that is read and not answered", &CloseAt{}, 1, []string{"0s take over", "0s delay until 0s", "0s end"}},
		{"some bytes, then a reset", &ResetAt{At{Byte: 8, ResponseDelayMs: 30}}, 1,
			[]string{"0s take over", "0s delay until 30ms", `30ms send "HTTP/1.1"`, "30ms reset"}},
		{"nothing is read", &UnreadBody{HoldMs: 400}, 1, []string{"0s take over", "0s delay until 400ms", "400ms reset"}},
		{"a second request on a connection", &KeepAlive{CloseOnNext: true}, 2, []string{"0s take over", "0s delay until 0s", "0s end"}},
		{"the first is served", &KeepAlive{CloseOnNext: true}, 1, []string{"0s delay until 0s", "0s headers 200", "0s write " + okBody, "0s finish"}},
		{"the effect before the answer", &Commit{CommitAfterMs: 20, ResponseDelayMs: 30}, 1,
			[]string{"0s delay until 20ms", "20ms commit", "20ms fired", "20ms delay until 30ms", "30ms headers 200", "30ms write " + okBody, "30ms finish"}},
		{"the answer before the effect", &Commit{CommitAfterMs: 30, ResponseDelayMs: 20}, 1,
			[]string{"0s delay until 20ms", "20ms headers 200", "20ms write " + okBody, "20ms finish", "20ms delay until 30ms", "30ms commit", "30ms fired"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ex := newFake(1, eventlog.Measured)
				ex.onConnection = c.conn
				if err := Serve(c.fault, ex); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, ex.log); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// That the client has left keeps the answer from it, not the effect from
// happening; unless the handler stops for it.
func TestEffectAfterDeparture(t *testing.T) {
	for _, stops := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ex := newFake(1, eventlog.Measured)
			ex.failAt, ex.err = 2, ErrClientGone // the head of the answer
			f := &Commit{Common: Common{HandlerStops: stops}, CommitAfterMs: 30, ResponseDelayMs: 20}
			if err := Serve(f, ex); err == nil {
				t.Error("no error")
			}
			if got := slices.Contains(ex.log, "30ms commit"); got == stops {
				t.Errorf("stops %v: %q", stops, ex.log)
			}
		})
	}
}

// A piece that takes its time does not move the ones after it.
func TestTrickleKeepsItsSchedule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ex := newFake(1, eventlog.Measured)
		if err := Serve(&BodyTrickle{Bytes: 1, Total: 3, IntervalMs: 100}, ex); err != nil {
			t.Fatal(err)
		}
		var due []string
		for _, line := range ex.log {
			if _, after, ok := strings.Cut(line, "delay until "); ok {
				due = append(due, after)
			}
		}
		if diff := cmp.Diff([]string{"0s", "100ms", "200ms", "300ms"}, due); diff != "" {
			t.Error(diff)
		}
	})
}

// Every answer on the wire has the same number of bytes, whatever the marker.
func TestSteadyAnswer(t *testing.T) {
	for _, op := range []string{"a", strings.Repeat("x", 96)} {
		ex := newFake(1, eventlog.Measured)
		ex.op = op
		if n := len(rawAnswer(ex, http.StatusOK)); n != wholeAnswer() {
			t.Errorf("%d bytes, expected %d", n, wholeAnswer())
		}
	}
}

// Every form of the header leaves as it is written.
func TestRetryAfterForms(t *testing.T) {
	for _, c := range []struct {
		fault  RetryAfter
		want   string
		wait   time.Duration
		spread time.Duration
	}{
		{RetryAfter{Value: "120"}, "120", 2 * time.Minute, 0},
		{RetryAfter{Value: "0"}, "0", 0, 0},
		{RetryAfter{Value: "-5"}, "-5", 0, 0},
		{RetryAfter{Value: "later, perhaps"}, "later, perhaps", 0, 0},
		{RetryAfter{Value: "Fri, 31 Dec 1999 23:59:00 GMT"}, "Fri, 31 Dec 1999 23:59:00 GMT", 0, 0},
		{RetryAfter{Value: "Sat, 01 Jan 2000 00:01:00 GMT"}, "Sat, 01 Jan 2000 00:01:00 GMT", time.Minute, 0},
		{RetryAfter{AsDate: true, DateOffsetMs: 2500}, "Sat, 01 Jan 2000 00:00:02 GMT", 2500 * time.Millisecond, time.Second},
		{RetryAfter{AsDate: true, DateOffsetMs: 3000}, "Sat, 01 Jan 2000 00:00:03 GMT", 3 * time.Second, time.Second},
		{RetryAfter{AsDate: true, DateOffsetMs: -60_000}, "Fri, 31 Dec 1999 23:59:00 GMT", 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := c.fault
			f.Status, f.Times = 503, 1
			ex := newFake(1, eventlog.Measured)
			if err := Serve(&f, ex); err != nil {
				t.Fatal(err)
			}
			if got := ex.header.Get("Retry-After"); got != c.want {
				t.Errorf("%+v: %q", c.fault, got)
			}
			q := Request{Phase: eventlog.Measured, Number: 1, At: time.Now()}
			if a := Rehearse(&f, q); a.RetryAfter != c.wait || a.RetrySpread != c.spread {
				t.Errorf("%+v: %v, up to %v less", c.fault, a.RetryAfter, a.RetrySpread)
			}
			q.Number = 2
			if a := Rehearse(&f, q); a != (Answer{Status: 200, Keeps: true}) {
				t.Errorf("exchange 2: %+v", a)
			}
		})
	}
}

// A chain is walked by the path, so that a client that begins anew walks all of it.
func TestHops(t *testing.T) {
	for path, want := range map[string]int{"/op/x/": 1, "/op/x/hop-2": 2, "/op/x/hop-17": 17, "/op/x/hop-0": 1, "/op/x/hop-": 1, "/op/hop-3/": 1} {
		if got := hopOf(&http.Request{URL: &url.URL{Path: path}}); got != want {
			t.Errorf("%s: %d, expected %d", path, got, want)
		}
	}
	f := &Redirects{Status: 302, Hops: 2, DelayMs: 10, To: "black_hole"}
	for k, want := range map[int]Redirect{1: NextHop, 2: ToBlackHole, 3: ""} {
		if a := Rehearse(f, Request{Number: k, Hop: k}); a.Redirect != want {
			t.Errorf("hop %d: %+v", k, a)
		}
	}
}

func TestSequence(t *testing.T) {
	f := &Sequence{Steps: []Nested{{"persistent_error", &PersistentError{Status: 503}}, {"unread_body", &UnreadBody{ReceiveBufferBytes: 4096}}}}
	if StepOf(f, 1) != f.Steps[0].Fault || StepOf(f, 9) != f.Steps[1].Fault || TypeOf("sequence", f, 2) != "unread_body" || TypeOf("healthy", &Healthy{}, 2) != "healthy" {
		t.Error("the wrong step")
	}
	if ReadingOf(f, 1) != Beside || ReadingOf(f, 2) != Unread || ReceiveBufferOf(f) != 4096 {
		t.Error("the wrong way of reading")
	}
	if list := Nestable(); slices.Contains(list, "sequence") || slices.Contains(list, "refused") || slices.Contains(list, "cancel_in_http") || !slices.Contains(list, "close_at") {
		t.Errorf("steps can be %q", list)
	}
}
