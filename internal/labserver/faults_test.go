package labserver

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

const (
	okBody  = `{"marker":"deadlinelab:op-1"}`
	errBody = `{"error":"scripted status 503"}`
	chunked = `{"chunks":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,"deadlinelab:op-1"]}`
)

// What a caller sees of every fault, to the nanosecond.
func TestCallerSees(t *testing.T) {
	for _, c := range []struct {
		fault  string
		phase  eventlog.Phase
		answer []string // of exchange 1, 2, …
		took   []time.Duration
	}{
		{"{type: healthy}", "", []string{"200 " + okBody}, millis(0)},
		{"{type: healthy, response_delay_ms: 20}", "", []string{"200 " + okBody}, millis(20)},
		{"{type: slow_headers, response_delay_ms: 800}", "", []string{"200 " + okBody, "200 " + okBody}, millis(800, 800)},
		{"{type: slow_body, status: 200, chunks: 16, chunk_interval_ms: 75}", "", []string{"200 " + chunked}, millis(1125)},
		{"{type: transient_error, steps: [{status: 503, delay_ms: 50}, {status: 200, delay_ms: 60}]}", "",
			[]string{"503 " + errBody, "200 " + okBody, "200 " + okBody}, millis(50, 60, 60)},
		{"{type: persistent_error, status: 503, response_delay_ms: 50}", "", []string{"503 " + errBody, "503 " + errBody}, millis(50, 50)},
		{"{type: persistent_error, status: 204, response_delay_ms: 50}", "", []string{"204 ", "204 "}, millis(50, 50)},
		{"{type: pool_wait, hold_ms: 1100, response_delay_ms: 20}", "", []string{"200 " + okBody}, millis(20)},
		{"{type: semaphore_wait, hold_ms: 1100, response_delay_ms: 20}", "", []string{"200 " + okBody}, millis(20)},
		{"{type: cancel_in_http, response_delay_ms: 300}", "", []string{"200 " + okBody}, millis(300)},
		{"{type: cancel_in_backoff, status: 503}", "", []string{"503 " + errBody}, millis(0)},
		{"{type: hang, delay_ms: 60000}", "", []string{"200 " + okBody}, millis(60_000)},
		{"{type: hang, delay_ms: 60000}", eventlog.Probe, []string{"200 " + okBody}, millis(0)},
		{"{type: backoff_holds_slot}", "", []string{"200 " + okBody}, millis(20)},
		{"{type: backoff_holds_slot}", eventlog.Helper, []string{"503 " + errBody, "200 " + okBody}, millis(0, 20)},
	} {
		t.Run(c.fault+string(c.phase), func(t *testing.T) {
			inLab(t, Config{}, func(l *lab) {
				ops := l.experiment(c.fault, control.OperationRequest{Op: "op-1", Phase: c.phase})
				for i, want := range c.answer {
					got, took := l.get(ops[0].BaseURL + "any/path?and=query")
					if got != want || took != c.took[i] {
						l.Errorf("exchange %d: %q after %v, want %q after %v", i+1, got, took, want, c.took[i])
					}
				}
			})
		})
	}
}

func millis(ms ...int) []time.Duration {
	list := make([]time.Duration, len(ms))
	for i, m := range ms {
		list[i] = time.Duration(m) * time.Millisecond
	}
	return list
}

func TestServerLog(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: transient_error, steps: [{status: 503, delay_ms: 50}, {status: 200, delay_ms: 60}]}", op("op-1"))
		l.get(ops[0].BaseURL)
		l.get(ops[0].BaseURL)
		events := l.log()
		check(l, story(events, "op-1", 1),
			"0 server_request_started", "0 fault_armed due=50", "50 server_headers_prepared status=503", "50 fault_fired due=50 late=0",
			"50 server_headers_written status=503", "50 server_body_written bytes=32 total=32", "50 server_body_finished total=32", "50 server_handler_finished")
		check(l, story(events, "op-1", 2),
			"0 server_request_started", "0 fault_armed due=60", "60 server_headers_prepared status=200", "60 fault_fired due=60 late=0",
			"60 server_headers_written status=200", "60 server_body_written bytes=30 total=30", "60 server_body_finished total=30", "60 server_handler_finished")
		checkSequence(l, events)
	})
}

// Every server event has the experiment's name and the next number; one
// connection served both exchanges.
func checkSequence(l *lab, events []eventlog.Event) {
	l.Helper()
	var conns []string
	for i, e := range events {
		if e.Seq != uint64(i+1) || e.Exp != "x" && e.Kind != eventlog.LogOpened {
			l.Errorf("event %d: seq %d, experiment %q", i+1, e.Seq, e.Exp)
		}
		if e.Conn != "" {
			conns = append(conns, string(e.Kind)+" "+e.Conn)
		}
	}
	if len(conns) != 3 || strings.Fields(conns[0])[1] != strings.Fields(conns[2])[1] {
		l.Errorf("connections: %q", conns)
	}
}

func check(l *lab, got []string, want ...string) {
	l.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		l.Error(diff)
	}
}

// The client leaves at 100 ms; the handler works on until 300, or stops.
func TestClientLeaves(t *testing.T) {
	atOnce := []string{"0 server_request_started", "0 fault_armed due=300", "100 server_client_gone how=fin",
		"100 server_handler_finished error=the client has left"}
	worksOn := []string{"0 server_request_started", "0 fault_armed due=300", "100 server_client_gone how=fin",
		"300 server_headers_prepared status=200", "300 fault_fired due=300 late=0",
		"300 server_handler_finished error=the client has left"}
	for _, c := range []struct {
		name, fault, method, body string
		want                      []string
	}{
		{"handler works on", "{type: cancel_in_http, response_delay_ms: 300}", "GET", "", worksOn},
		{"handler stops", "{type: cancel_in_http, response_delay_ms: 300, handler_cancellation: true}", "GET", "", atOnce},
		{"hang stops by default", "{type: hang, delay_ms: 300}", "GET", "", atOnce},
		{"hang works on if told so", "{type: hang, delay_ms: 300, handler_cancellation: false}", "GET", "", worksOn},
		{"with a request body", "{type: cancel_in_http, response_delay_ms: 300}", "POST", strings.Repeat("x", 300_000), worksOn},
		{"with a request body, stopping", "{type: slow_headers, response_delay_ms: 300, handler_cancellation: true}", "POST", "small", atOnce},
	} {
		t.Run(c.name, func(t *testing.T) {
			inLab(t, Config{}, func(l *lab) {
				ops := l.experiment(c.fault, op("op-1"))
				ctx, cancel := context.WithTimeout(l.Context(), 100*time.Millisecond)
				defer cancel()
				answer, took := l.do(ctx, c.method, ops[0].BaseURL, strings.NewReader(c.body))
				if answer != context.DeadlineExceeded.Error() || took != 100*time.Millisecond {
					l.Errorf("caller: %s after %v", answer, took)
				}
				time.Sleep(time.Second)
				events := l.log()
				check(l, story(events, "op-1", 1), c.want...)
				check(l, kinds(events, eventlog.ConnectionClosed), "connection_closed client fin")
			})
		})
	}
}

func kinds(events []eventlog.Event, kind eventlog.Kind) []string {
	var list []string
	for _, e := range events {
		if e.Kind == kind {
			list = append(list, strings.TrimSpace(string(e.Kind)+" "+e.By+" "+e.How))
		}
	}
	return list
}

// A client that leaves in the middle of a body ends the script at its next chunk.
func TestClientLeavesInTheBody(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: slow_body, chunks: 16, chunk_interval_ms: 75}", op("op-1"))
		ctx, cancel := context.WithTimeout(l.Context(), 100*time.Millisecond)
		defer cancel()
		answer, _ := l.do(ctx, http.MethodGet, ops[0].BaseURL, nil)
		if want := "200 {\"chunks\":[0,1 context deadline exceeded"; answer != want {
			l.Errorf("caller: %q, want %q", answer, want)
		}
		time.Sleep(time.Second)
		got := story(l.log(), "op-1", 1)
		check(l, got[len(got)-4:], "75 fault_armed due=150", "100 server_client_gone how=fin",
			"150 fault_fired due=150 late=0", "150 server_handler_finished error=the client has left")
	})
}

// A client that leaves between exchanges, or after a whole answer, is not gone
// from any exchange.
func TestLeavingAfterTheAnswer(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: slow_body, chunks: 2, chunk_interval_ms: 5}", op("op-1"))
		l.get(ops[0].BaseURL)
		l.http.CloseIdleConnections()
		events := l.log()
		check(l, kinds(events, eventlog.ServerClientGone))
		check(l, kinds(events, eventlog.ConnectionClosed), "connection_closed client fin")
	})
}

// 90 operations at once are as exact as one.
func TestManyAtOnce(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		var asked []control.OperationRequest
		for i := range 90 {
			asked = append(asked, op(string(rune('a'+i%26))+strings.Repeat("x", i/26)))
		}
		ops := l.experiment("{type: slow_headers, response_delay_ms: 800}", asked...)
		took := make(chan time.Duration, len(ops))
		for _, o := range ops {
			go func() {
				_, d := l.get(o.BaseURL)
				took <- d
			}()
		}
		for range ops {
			if d := <-took; d != 800*time.Millisecond {
				l.Errorf("took %v", d)
			}
		}
		l.http.CloseIdleConnections()
	})
}

func TestUnscripted(t *testing.T) {
	for _, c := range []struct{ path, header, want string }{
		{"/op/op-2/", "", `599 operation "op-2" is not registered`},
		{"/", "", `599 path "/" names no operation: expected /op/<id>/`},
		{"/op/", "", `599 operation id "": expected [A-Za-z0-9_.~-]{1,96}`},
		{"/op/a%20b/", "", `599 operation id "a b": expected [A-Za-z0-9_.~-]{1,96}`},
		{"/op/" + strings.Repeat("a", 97) + "/", "", `599 operation id "` + strings.Repeat("a", 97) + `": expected [A-Za-z0-9_.~-]{1,96}`},
		{"/op/op-1/", "0", `400 header Deadlinelab-Attempt "0": expected 1 to 1000000`},
		{"/op/op-1/", "two", `400 header Deadlinelab-Attempt "two": expected 1 to 1000000`},
	} {
		t.Run(c.path+c.header, func(t *testing.T) {
			inLab(t, Config{}, func(l *lab) {
				l.experiment("{type: healthy}", op("op-1"))
				x := must(l.Experiment(l.Context(), "x"))(l)
				req, _ := http.NewRequest(http.MethodGet, x.DataURL+c.path, nil)
				if c.header != "" {
					req.Header.Set("Deadlinelab-Attempt", c.header)
				}
				res := must(l.http.Do(req))(l)
				defer res.Body.Close()
				l.compareUnscripted(res, c.want)
			})
		})
	}
}

// A client that speaks HTTP/2 at once is refused by that name.
func TestPriorKnowledge(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		l.experiment("{type: healthy}")
		c := must(l.net.DialContext(l.Context(), "tcp", strings.TrimPrefix(must(l.Experiment(l.Context(), "x"))(l).DataURL, "http://")))(l)
		defer c.Close()
		must(io.WriteString(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))(l)
		synctest.Wait()
		for _, e := range l.log() {
			if e.Kind == eventlog.Unscripted && e.Error == "HTTP/2 with prior knowledge: expected HTTP/1.1" && e.Status == statusUnscripted {
				return
			}
		}
		l.Errorf("not in the log: %+v", l.log())
	})
}

// No byte follows the head of an answer to a HEAD, whatever the fault would
// have sent: its client would take it for another answer.
func TestHEADOnTheWire(t *testing.T) {
	for _, script := range []string{"{type: last_byte_withheld, hold_ms: 20}", "{type: truncated_body}", "{type: body_stall}", "{type: reset_in_body}", "{type: body_trickle}",
		"{type: header_drip}", "{type: informational_flood}", "{type: close_at}", "{type: endless_body, for_ms: 50}"} {
		t.Run(script, func(t *testing.T) {
			inLab(t, Config{}, func(l *lab) {
				ops := l.experiment(script, op("op-1"))
				host, path, _ := strings.Cut(strings.TrimPrefix(ops[0].BaseURL, "http://"), "/")
				c := must(l.net.DialContext(l.Context(), "tcp", host))(l)
				defer c.Close()
				must(io.WriteString(c, "HEAD /"+path+" HTTP/1.1\r\nHost: x\r\n\r\n"))(l)
				c.SetReadDeadline(time.Now().Add(10 * time.Second))
				answer, _ := io.ReadAll(c) // some connections stay open, some are reset
				if strings.Contains(string(answer), "\r\n\r\n") && !strings.HasSuffix(string(answer), "\r\n\r\n") {
					l.Errorf("%q", answer)
				}
				for _, e := range l.log() {
					if e.Kind == eventlog.ServerBodyWritten {
						l.Errorf("body bytes in the log: %+v", e)
					}
				}
			})
		})
	}
}

func (l *lab) compareUnscripted(res *http.Response, want string) {
	l.Helper()
	status, body := readError(l, res)
	if got := status + " " + body.Error; got != want {
		l.Errorf("answer %q, want %q", got, want)
	}
	for _, e := range l.log() {
		if e.Kind == eventlog.ServerRequestStarted {
			l.Error("it was served")
		}
		if e.Kind == eventlog.Unscripted && e.Error == body.Error && e.Status == res.StatusCode {
			return
		}
	}
	l.Error("no unscripted event says so")
}

func TestAttemptHeader(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: healthy}", op("op-1"))
		req, _ := http.NewRequest(http.MethodGet, ops[0].BaseURL, nil)
		req.Header.Set("Deadlinelab-Attempt", "3")
		must(l.http.Do(req))(l).Body.Close()
		for _, e := range l.log() {
			if e.Op == "op-1" && e.Attempt != 3 {
				l.Errorf("%s has attempt %d", e.Kind, e.Attempt)
			}
		}
	})
}
