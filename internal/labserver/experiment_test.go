package labserver

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Deleting aborts what still runs and names it.
func TestDeleteNamesTheBusy(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: cancel_in_http, response_delay_ms: 5000}", op("op-1"), op("op-2"))
		first, second := l.begin(ops[0]), l.begin(ops[1])
		synctest.Wait()
		time.Sleep(100 * time.Millisecond)
		if x := must(l.Experiment(l.Context(), "x"))(l); x.Busy != 2 {
			l.Errorf("busy %d", x.Busy)
		}
		stream := l.follow(0)
		tally := must(l.Delete(l.Context(), "x"))(l)
		if got := strings.Join(tally.Busy, " "); got != "op-1 op-2" {
			l.Errorf("busy %q", got)
		}
		for _, answer := range []string{<-first, <-second} {
			if answer != "EOF after 100ms" {
				l.Errorf("caller: %q", answer)
			}
		}
		<-stream.done
		if got := stream.lines[len(stream.lines)-1]; tally.LastSeq != uint64(len(stream.lines)) {
			l.Errorf("last seq %d, last line %s", tally.LastSeq, got)
		}
		text := strings.Join(stream.lines, "\n")
		if n := strings.Count(text, `"event":"server_handler_finished","error":"the experiment has ended"`); n != 2 {
			l.Errorf("%d handlers finished:\n%s", n, text)
		}
	})
}

func TestTTL(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		x := must(l.Create(l.Context(), control.ExperimentRequest{Name: "x", Scenario: upstream("{type: healthy}"), TTLMs: 1500, AutoOperations: true}))(l)
		stream := l.follow(0)
		start := time.Now()
		<-stream.done
		if took := time.Since(start); took != 1500*time.Millisecond {
			l.Errorf("ended after %v", took)
		}
		if _, err := l.Experiment(l.Context(), "x"); err == nil {
			l.Error("it is still there")
		}
		if answer, _ := l.get(x.DataURL); !strings.Contains(answer, "connection refused") {
			l.Errorf("it still serves: %s", answer)
		}
	})
}

// Experiments share nothing: not the numbers of events, not the operations.
func TestExperimentsAreApart(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		a := l.experiment("{type: healthy}", op("op-1"))
		y := must(l.Create(l.Context(), control.ExperimentRequest{Scenario: upstream("{type: persistent_error, status: 503}")}))(l)
		b := must(l.Register(l.Context(), y.Name, []control.OperationRequest{op("op-1")}))(l)
		if got, _ := l.get(a[0].BaseURL); got != "200 "+okBody {
			l.Error(got)
		}
		if got, _ := l.get(b[0].BaseURL); got != "503 "+errBody {
			l.Error(got)
		}
		must(l.Delete(l.Context(), "x"))(l)
		if got, _ := l.get(b[0].BaseURL); got != "503 "+errBody {
			l.Error(got)
		}
		tally := must(l.Delete(l.Context(), y.Name))(l)
		if tally.Requests["op-1"] != 2 {
			l.Errorf("tally %+v", tally)
		}
	})
}

// Above the limit a caller is told why, its operation is in the log as not
// served, and a place that gets free is used again.
func TestConnectionLimit(t *testing.T) {
	inLab(t, Config{MaxConnections: 1}, func(l *lab) {
		ops := l.experiment("{type: slow_headers, response_delay_ms: 800}", op("op-1"), op("op-2"))
		first := l.begin(ops[0])
		synctest.Wait()
		answer, _ := l.get(ops[1].BaseURL)
		if !strings.HasPrefix(answer, `503 {"error":"labserver is at its limit of 1 connections","hint":`) {
			l.Errorf("got %q", answer)
		}
		if got, want := <-first, "200 "+okBody+" after 800ms"; got != want {
			l.Errorf("got %q", got)
		}
		l.http.CloseIdleConnections()
		synctest.Wait()
		if got, _ := l.get(ops[1].BaseURL); got != `200 {"marker":"deadlinelab:op-2"}` {
			l.Errorf("afterwards %q", got)
		}
		if n := len(kinds(l.log(), eventlog.Unscripted)); n != 1 {
			l.Errorf("%d unscripted events", n)
		}
	})
}

// Connections that are told why have a second for their request, and there are
// at most 64 of them: the limit is one.
func TestFarAboveTheConnectionLimit(t *testing.T) {
	inLab(t, Config{MaxConnections: 1}, func(l *lab) {
		l.experiment("{type: healthy}")
		addr := strings.TrimPrefix(must(l.Experiment(l.Context(), "x"))(l).DataURL, "http://")
		start := time.Now()
		for range 1 + toldWhy + 3 {
			defer must(l.net.DialContext(l.Context(), "tcp", addr))(l).Close()
		}
		events := l.log()
		if n := len(kinds(events, eventlog.Unscripted)); n != 3 {
			l.Errorf("%d closed at once, want 3", n)
		}
		must(l.Wait(l.Context(), "x", eventlog.ConnectionClosed, "", toldWhy, time.Minute))(l)
		if took := time.Since(start); took != toldWithin {
			l.Errorf("the silent ones were closed after %v", took)
		}
		synctest.Wait()
		if open := l.server.connections.open.Load(); open != 1 {
			l.Errorf("%d connections are open", open)
		}
	})
}
