package labserver

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// What is sent on a connection that was taken over is in the log as what it is.
func TestWireLog(t *testing.T) {
	for _, c := range []struct {
		fault string
		want  []string
	}{
		{"{type: header_drip, piece_bytes: 40, interval_ms: 50, head_bytes: 80}", []string{
			"0 server_request_started", "0 fault_armed due=0", "0 server_headers_prepared status=200", "0 fault_fired due=0 late=0",
			"0 fault_armed due=50", "50 fault_fired due=50 late=0", "50 server_headers_written status=200",
			"50 server_body_written bytes=160 total=160", "50 server_body_finished total=160", "50 server_handler_finished"}},
		{"{type: informational_flood, interval_ms: 50, count: 1}", []string{
			"0 server_request_started", "0 fault_armed due=50", "50 fault_fired due=50 late=0", "50 server_headers_prepared status=200",
			"50 server_headers_written status=200", "50 server_body_written bytes=160 total=160", "50 server_body_finished total=160", "50 server_handler_finished"}},
		{"{type: truncated_body, response_delay_ms: 5}", []string{
			"0 server_request_started", "0 fault_armed due=5", "5 server_headers_prepared status=200", "5 fault_fired due=5 late=0",
			"5 server_headers_written status=200", "5 server_body_written bytes=50 total=50", "5 server_handler_finished"}},
		{"{type: close_at, byte: 0, response_delay_ms: 5}", []string{
			"0 server_request_started", "0 fault_armed due=5", "5 fault_fired due=5 late=0", "5 server_handler_finished"}},
	} {
		t.Run(c.fault, func(t *testing.T) {
			inLab(t, Config{}, func(l *lab) {
				ops := l.experiment(c.fault, op("op-1"))
				l.get(ops[0].BaseURL)
				events := l.log()
				check(l, story(events, "op-1", 1), c.want...)
				check(l, kinds(events, eventlog.ConnectionClosed), "connection_closed server fin")
			})
		})
	}
}

func TestResetIsTheServers(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: reset_in_body}", op("op-1"))
		if got, _ := l.get(ops[0].BaseURL); !strings.Contains(got, "connection reset") || len(got) < 100 {
			l.Errorf("got %q", got)
		}
		check(l, kinds(l.log(), eventlog.ConnectionClosed), "connection_closed server rst")
	})
}

// A silence ends when the client leaves, at once.
func TestClientLeavesTheSilence(t *testing.T) {
	for _, script := range []string{"{type: body_stall}", "{type: last_byte_withheld}"} {
		t.Run(script, func(t *testing.T) {
			inLab(t, Config{}, func(l *lab) {
				ops := l.experiment(script, op("op-1"))
				ctx, cancel := context.WithTimeout(l.Context(), 100*time.Millisecond)
				defer cancel()
				if got, took := l.do(ctx, http.MethodPost, ops[0].BaseURL, strings.NewReader("body")); !strings.HasSuffix(got, context.DeadlineExceeded.Error()) || took != 100*time.Millisecond {
					l.Errorf("caller: %s after %v", got, took)
				}
				got := story(l.log(), "op-1", 1)
				check(l, got[len(got)-2:], "100 server_client_gone how=fin", "100 server_handler_finished")
			})
		})
	}
}

// The handler of a connection that was taken over stops, or works on, as any other.
func TestHandlerCancellationOnTheWire(t *testing.T) {
	for cancellation, want := range map[string]string{
		"true":  "100 server_handler_finished error=the client has left",
		"false": "300 server_handler_finished error=the client has left",
	} {
		t.Run(cancellation, func(t *testing.T) {
			inLab(t, Config{}, func(l *lab) {
				ops := l.experiment("{type: truncated_body, response_delay_ms: 300, handler_cancellation: "+cancellation+"}", op("op-1"))
				ctx, cancel := context.WithTimeout(l.Context(), 100*time.Millisecond)
				defer cancel()
				l.do(ctx, http.MethodGet, ops[0].BaseURL, nil)
				time.Sleep(time.Second)
				got := story(l.log(), "op-1", 1)
				check(l, got[len(got)-1:], want)
			})
		})
	}
}

// An experiment ends although connections of it are kept open, linger or are
// silent.
func TestExperimentEndsSilence(t *testing.T) {
	for _, script := range []string{"{type: body_stall}", "{type: accept_silence}", "{type: truncated_body}", "{type: black_hole}", "{type: unread_body}"} {
		t.Run(script, func(t *testing.T) {
			inLab(t, Config{}, func(l *lab) {
				ops := l.experiment(script, op("op-1"))
				at := strings.TrimPrefix(ops[0].BaseURL, "http://")
				at, _, _ = strings.Cut(at, "/")
				ctx, cancel := context.WithTimeout(l.Context(), time.Second)
				defer cancel()
				c, err := l.net.DialContext(ctx, "tcp", at)
				if err == nil {
					defer c.Close()
					must(c.Write([]byte(getRequest)))(l)
				}
				synctest.Wait()
				start := time.Now()
				must(l.Delete(l.Context(), "x"))(l)
				if took := time.Since(start); took != 0 {
					l.Errorf("took %v", took)
				}
			})
		})
	}
}

// The effect happens when it is due, though the client has left; a second one
// under the same key does not.
func TestCommitOutlivesTheClient(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: commit, commit_after_ms: 300, response_delay_ms: 400}", op("op-1"))
		for range 2 {
			ctx, cancel := context.WithTimeout(l.Context(), 100*time.Millisecond)
			req, _ := http.NewRequestWithContext(ctx, http.MethodPost, ops[0].BaseURL, strings.NewReader("body"))
			req.Header.Set("Idempotency-Key", "k")
			l.http.Do(req)
			cancel()
			time.Sleep(time.Second)
		}
		events := l.log()
		first := story(events, "op-1", 1)
		check(l, first[len(first)-6:len(first)-4], "300 effect_committed", "300 fault_fired due=300 late=0")
		var keys []string
		for _, e := range events {
			if e.Kind == eventlog.EffectCommitted {
				keys = append(keys, e.Key)
			}
		}
		check(l, keys, "k")
	})
}

// A black hole lets nobody through until its gate is released; its probe is
// served all the time.
func TestBlackHole(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: black_hole, for_ms: 300}", op("op-1"), control.OperationRequest{Op: "probe", Phase: eventlog.Probe})
		ctx, cancel := context.WithTimeout(l.Context(), 100*time.Millisecond)
		defer cancel()
		if got, took := l.do(ctx, http.MethodGet, ops[0].BaseURL, nil); got != context.DeadlineExceeded.Error() || took != 100*time.Millisecond {
			l.Errorf("caller: %s after %v", got, took)
		}
		if got, took := l.get(ops[1].BaseURL); !strings.HasPrefix(got, "200") || took != 0 {
			l.Errorf("probe: %s after %v", got, took)
		}
		at := l.server.cfg.Clock.Ns(time.Now().Add(200 * time.Millisecond))
		if err := l.Release(l.Context(), "x", "op-1", control.Release{AtNs: at}); err != nil {
			l.Fatal(err)
		}
		// The dial of the first call lives on and tries again after a second.
		if got, took := l.get(ops[0].BaseURL); !strings.HasPrefix(got, "200") || took != 900*time.Millisecond {
			l.Errorf("caller: %s after %v", got, took)
		}
	})
}

func TestRefused(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: refused}", op("op-1"))
		if _, err := l.http.Get(ops[0].BaseURL); !errors.Is(err, syscall.ECONNREFUSED) {
			l.Errorf("got %v", err)
		}
	})
}

// A chain is walked by one client to its end, or to where it is led.
func TestRedirectChain(t *testing.T) {
	for _, c := range []struct {
		to, want string
		took     time.Duration
	}{
		{"", "200 " + okBody, 900 * time.Millisecond},
		{"refused", "connection refused", 750 * time.Millisecond},
	} {
		t.Run("to "+c.to, func(t *testing.T) {
			inLab(t, Config{}, func(l *lab) {
				ops := l.experiment(`{type: redirects, hops: 5, delay_ms: 150, to: "`+c.to+`"}`, op("op-1"))
				if got, took := l.get(ops[0].BaseURL); !strings.Contains(got, c.want) || took != c.took {
					l.Errorf("%q after %v", got, took)
				}
			})
		})
	}
}

// Once net/http has begun to answer or to read, it keeps the connection.
func TestTakeOverTooLate(t *testing.T) {
	ex := &exchange{reading: make(chan struct{})}
	if _, err := ex.TakeOver(); err != errTakenTooLate {
		t.Errorf("got %v", err)
	}
}

// The bytes of an answer are told apart wherever they are cut.
func TestSentIsCutAnywhere(t *testing.T) {
	flow := "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nbody"
	for size := 1; size <= len(flow); size++ {
		s, prepared, heads := sent{length: -1}, 0, 0
		for rest := flow; len(rest) > 0; {
			n := min(size, len(rest))
			now := s.add([]byte(rest[:n]))
			rest = rest[n:]
			if now.prepared {
				prepared++
			}
			if now.head {
				heads++
			}
		}
		if s.status != 404 || prepared != 1 || heads != 1 || s.body != 4 || !s.complete(0) {
			t.Errorf("pieces of %d: %+v, prepared %d, heads %d", size, s, prepared, heads)
		}
	}
}

// On a real socket the departure of a client is noticed although nobody reads.
func TestUnreadDeparture(t *testing.T) {
	if !linuxOnly {
		t.Skip("only Linux tells")
	}
	for how, linger := range map[string]int{"fin": -1, "rst": 0} {
		t.Run(how, func(t *testing.T) {
			l, _ := onLoopback(t, "{type: unread_body}")
			addr := strings.TrimPrefix(must(l.Experiment(l.Context(), "x"))(l).DataURL, "http://")
			c := l.dial(addr, getRequest)
			l.await(eventlog.FaultArmed)
			c.SetLinger(linger)
			c.Close()
			if gone := l.await(eventlog.ServerClientGone); gone.How != how {
				l.Errorf("got %+v", gone)
			}
			l.await(eventlog.ServerHandlerFinished)
		})
	}
}

// Connection faults need a listener each; one that cannot be had is refused
// with the operation's name.
func TestNoListener(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		l.experiment("{type: accept_silence}")
		x := must(l.server.find("x"))(l)
		broken := *x.cfg
		broken.Listen = func(string, string) (net.Listener, error) { return nil, syscall.EMFILE }
		x.cfg = &broken
		if _, err := l.Register(l.Context(), "x", []control.OperationRequest{op("op-1")}); err == nil || !strings.Contains(err.Error(), `no listener for operation "op-1"`) {
			l.Errorf("got %v", err)
		}
	})
}
