package labserver

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// onLoopback runs a labserver on the real loopback interface, for what memory
// cannot show. Nothing here looks at the clock: every wait is for an event.
func onLoopback(t *testing.T, fault string) (l *lab, addr string) {
	t.Helper()
	l = &lab{T: t, server: New(Config{Clock: clock.New(), Token: testToken})}
	base, err := l.server.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	l.base, l.http = base, &http.Client{Transport: transport}
	l.Client = control.NewClient(base, testToken, l.http)
	t.Cleanup(func() { transport.CloseIdleConnections(); l.server.Close() })
	l.experiment(fault, op("op-1"))
	x := must(l.Experiment(l.Context(), "x"))(l)
	return l, strings.TrimPrefix(x.DataURL, "http://")
}

func (l *lab) dial(addr, request string) *net.TCPConn {
	l.Helper()
	c := must(net.Dial("tcp", addr))(l)
	must(io.WriteString(c, request))(l)
	return c.(*net.TCPConn)
}

func (l *lab) await(kind eventlog.Kind) eventlog.Event {
	l.Helper()
	return must(l.Wait(l.Context(), "x", kind, "", 1, time.Minute))(l)
}

const (
	getRequest  = "GET /op/op-1/ HTTP/1.1\r\nHost: x\r\n\r\n"
	postRequest = "POST /op/op-1/ HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"
)

// How the client left is told apart, whether its request had no body, one that
// arrived whole, or one of which only the beginning came.
func TestHowTheClientLeft(t *testing.T) {
	whole := strings.Repeat("x", 1<<20)
	for name, request := range map[string]string{
		"no body":    getRequest,
		"whole body": fmt.Sprintf(postRequest, len(whole), whole),
		"half body":  fmt.Sprintf(postRequest, len(whole), whole[:1<<10]),
	} {
		for how, linger := range map[string]int{"fin": -1, "rst": 0} {
			t.Run(name+" "+how, func(t *testing.T) {
				l, addr := onLoopback(t, "{type: hang}")
				c := l.dial(addr, request)
				l.await(eventlog.FaultArmed)
				c.SetLinger(linger)
				c.Close()
				gone := l.await(eventlog.ServerClientGone)
				if gone.How != how || gone.Conn != c.LocalAddr().String() || gone.Op != "op-1" || gone.Exchange != 1 {
					l.Errorf("got %+v", gone)
				}
				closed := l.await(eventlog.ConnectionClosed)
				if closed.By != "client" || closed.How != how || closed.Conn != gone.Conn {
					l.Errorf("got %+v", closed)
				}
			})
		}
	}
}

// A caller that still sends its body gets its answer when it is due, and the
// experiment can end although the body never does.
func TestAnswerBeforeTheBodyHasArrived(t *testing.T) {
	l, addr := onLoopback(t, "{type: persistent_error, status: 503, response_delay_ms: 1}")
	c := l.dial(addr, fmt.Sprintf(postRequest, 1000, "only this"))
	defer c.Close()
	answer := make([]byte, len("HTTP/1.1 503"))
	must(io.ReadFull(c, answer))(l)
	if string(answer) != "HTTP/1.1 503" {
		l.Errorf("got %q", answer)
	}
	l.await(eventlog.ServerHandlerFinished)
	if tally := must(l.Delete(l.Context(), "x"))(l); len(tally.Busy) != 0 {
		l.Errorf("tally %+v", tally)
	}
}

func TestRequestBodyTooLarge(t *testing.T) {
	l, addr := onLoopback(t, "{type: healthy}")
	c := l.dial(addr, fmt.Sprintf(postRequest, 64<<20+1, ""))
	defer c.Close()
	answer := make([]byte, len("HTTP/1.1 413"))
	must(io.ReadFull(c, answer))(l)
	if e := l.await(eventlog.Unscripted); string(answer) != "HTTP/1.1 413" || !strings.Contains(e.Error, "67108865") {
		l.Errorf("got %q, %q", answer, e.Error)
	}
}

// A real client that cancels closes its connection; the server sees it, and its
// handler works on.
func TestRealClientCancels(t *testing.T) {
	l, addr := onLoopback(t, "{type: cancel_in_http, response_delay_ms: 300}")
	ctx, cancel := context.WithCancel(l.Context())
	go func() {
		l.Wait(l.Context(), "x", eventlog.ServerRequestStarted, "op-1", 1, time.Minute)
		cancel()
	}()
	if answer, _ := l.do(ctx, http.MethodPost, "http://"+addr+"/op/op-1/", strings.NewReader("body")); answer != context.Canceled.Error() {
		l.Errorf("caller: %s", answer)
	}
	gone, prepared, finished := l.await(eventlog.ServerClientGone), l.await(eventlog.ServerHeadersPrepared), l.await(eventlog.ServerHandlerFinished)
	if !(gone.Seq < prepared.Seq && prepared.Seq < finished.Seq) {
		l.Errorf("gone %d, prepared %d, finished %d", gone.Seq, prepared.Seq, finished.Seq)
	}
	if fired := l.await(eventlog.FaultFired); fired.TNs < fired.DueNs || fired.LateMs < 0 {
		l.Errorf("fired before it was due: %+v", fired)
	}
}

// Deleting an experiment frees its port at once.
func TestDeleteFreesThePort(t *testing.T) {
	l, addr := onLoopback(t, "{type: hang}")
	c := l.dial(addr, getRequest)
	defer c.Close()
	l.await(eventlog.FaultArmed)
	must(l.Delete(l.Context(), "x"))(l)
	again := control.ExperimentRequest{Name: "x", Scenario: upstream("{type: healthy}"), DataAddr: addr}
	must(l.Create(l.Context(), again))(l)
	_, err := l.Create(l.Context(), control.ExperimentRequest{Name: "y", Scenario: upstream("{type: healthy}"), DataAddr: addr})
	if err == nil || !strings.Contains(err.Error(), "data_addr "+addr+": the port is in use (409); hint: another process listens there") {
		l.Errorf("got %v", err)
	}
}
