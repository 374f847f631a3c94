package labserver

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// arrivals reads a stream and keeps when each line came.
type arrivals struct {
	lines []string
	at    []time.Time
	done  chan struct{}
}

func (l *lab) follow(after uint64) *arrivals {
	l.Helper()
	body := must(l.Stream(l.Context(), "x", after))(l)
	a := &arrivals{done: make(chan struct{})}
	go func() {
		defer close(a.done)
		defer body.Close()
		for lines := bufio.NewScanner(body); lines.Scan(); {
			a.lines = append(a.lines, lines.Text())
			a.at = append(a.at, time.Now())
		}
	}()
	return a
}

// The stream begins with the header, brings each event within liveGap, the first
// one after a silence at once, and ends after the last one, which is the tally's.
func TestStream(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: slow_headers, response_delay_ms: 800}", op("op-1"))
		stream := l.follow(0)
		l.get(ops[0].BaseURL)
		l.http.CloseIdleConnections()
		synctest.Wait()
		tally := must(l.Delete(l.Context(), "x"))(l)
		<-stream.done
		log, err := eventlog.ReadEach("stream", strings.NewReader(strings.Join(stream.lines, "\n")+"\n"), func(*eventlog.Event) {})
		if err != nil || log.Torn || len(log.Headers) != 1 || log.Headers[0].Side != eventlog.ServerSide || log.Headers[0].Experiment != "x" {
			l.Fatalf("log %+v, error %v", log, err)
		}
		if tally.LastSeq != uint64(len(stream.lines)) || tally.Lost != 0 || tally.Requests["op-1"] != 1 || len(tally.Busy) != 0 {
			l.Errorf("tally %+v of %d lines", tally, len(stream.lines))
		}
		for i, line := range stream.lines[1:] {
			e := must(eventlog.Decode([]byte(line)))(l)
			waited := time.Duration(l.server.cfg.Clock.Ns(stream.at[i+1]) - e.TNs)
			if waited > liveGap || e.Kind == eventlog.ServerHeadersPrepared && waited != 0 {
				l.Errorf("%s came after %v", e.Kind, waited)
			}
		}
	})
}

// A stream may be taken up again after any event.
func TestStreamAfter(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		l.experiment("{type: healthy}", op("op-1"))
		stream := l.follow(1)
		x := must(l.Experiment(l.Context(), "x"))(l)
		l.get(x.DataURL + "/op/op-1/")
		must(l.Delete(l.Context(), "x"))(l)
		<-stream.done
		if !strings.HasPrefix(stream.lines[0], `{"seq":2,`) {
			l.Errorf("begins with %s", stream.lines[0])
		}
	})
}

// A reader that keeps what it gets leaves the experiment's memory empty.
func TestTakenEventsAreForgotten(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: healthy}", op("op-1"))
		taken := must(l.Take(l.Context(), "x"))(l)
		lines := make(chan string)
		go func() {
			text, _ := io.ReadAll(taken)
			taken.Close()
			lines <- string(text)
		}()
		l.get(ops[0].BaseURL)
		time.Sleep(2 * liveGap)
		left := must(l.Events(l.Context(), "x", 0, maxEvents))(l)
		if len(left.Events) != 0 || left.LastSeq == 0 {
			l.Errorf("%d of %d events are still kept", len(left.Events), left.LastSeq)
		}
		tally := must(l.Delete(l.Context(), "x"))(l)
		if got := <-lines; strings.Count(got, "\n") != int(tally.LastSeq) || tally.Lost != 0 || tally.Discarded < int64(left.LastSeq) {
			l.Errorf("%d lines, tally %+v", strings.Count(got, "\n"), tally)
		}
	})
}

// A GET takes nothing away, whatever it asks for.
func TestGetDiscardsNothing(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: healthy}", op("op-1"))
		res := l.call("GET", "/v1/experiments/x/events/stream?keep=false", "")
		defer res.Body.Close()
		l.get(ops[0].BaseURL)
		time.Sleep(2 * liveGap)
		if left := must(l.Events(l.Context(), "x", 0, maxEvents))(l); len(left.Events) != int(left.LastSeq) {
			l.Errorf("%d of %d events are kept", len(left.Events), left.LastSeq)
		}
		if tally := must(l.Delete(l.Context(), "x"))(l); tally.Discarded != 0 || tally.Lost != 0 {
			l.Errorf("tally %+v", tally)
		}
	})
}

func TestEventsByCursor(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: healthy}", op("op-1"))
		l.get(ops[0].BaseURL)
		all := l.log()
		var after uint64
		for n := 0; ; n++ {
			page := must(l.Events(l.Context(), "x", after, 3))(l)
			if page.LastSeq != uint64(len(all)) || len(page.Events) > 3 {
				l.Fatalf("page %+v of %d events", page, len(all))
			}
			if len(page.Events) == 0 {
				break
			}
			after = page.Next
		}
		if after != uint64(len(all)) {
			l.Errorf("ended after %d of %d events", after, len(all))
		}
	})
}

func TestWaitForAnEvent(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: slow_headers, response_delay_ms: 800}", op("op-1"), op("op-2"))
		start := time.Now()
		time.AfterFunc(100*time.Millisecond, func() { l.get(ops[0].BaseURL) })
		time.AfterFunc(200*time.Millisecond, func() { l.get(ops[1].BaseURL) })
		for _, c := range []struct {
			op    string
			count int
			want  time.Duration
		}{{"", 1, 100}, {"op-2", 1, 200}, {"", 2, 200}, {"op-1", 1, 100}} {
			e := must(l.Wait(l.Context(), "x", eventlog.ServerRequestStarted, c.op, c.count, time.Minute))(l)
			if got := l.server.cfg.Clock.At(e.TNs).Sub(start); got != c.want*time.Millisecond {
				l.Errorf("%q, %d: at %v, want %v ms", c.op, c.count, got, int64(c.want))
			}
		}
		must(l.Wait(l.Context(), "x", eventlog.ServerHandlerFinished, "", 2, time.Minute))(l)
		if got := time.Since(start); got != time.Second {
			l.Errorf("handlers finished after %v", got)
		}
	})
}

// A wait does not outlive its experiment.
func TestWaitEndsWithTheExperiment(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		l.experiment("{type: healthy}")
		time.AfterFunc(time.Second, func() { l.Delete(l.Context(), "x") })
		start := time.Now()
		_, err := l.Wait(l.Context(), "x", eventlog.GateHeld, "", 1, time.Minute)
		var api *control.APIError
		if !errors.As(err, &api) || api.Status != http.StatusGone || time.Since(start) != time.Second {
			l.Errorf("got %v after %v", err, time.Since(start))
		}
	})
}

func TestNoiseIsInEveryLog(t *testing.T) {
	inLab(t, Config{Noise: true}, func(l *lab) {
		l.experiment("{type: healthy}")
		time.Sleep(76 * time.Millisecond)
		if n := len(kinds(l.log(), eventlog.NoiseSampled)); n < 1 || n > 3 {
			l.Errorf("%d samples in 76 ms", n)
		}
	})
}

func TestAutoOperations(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		x := must(l.Create(l.Context(), control.ExperimentRequest{Name: "x", AutoOperations: true,
			Scenario: upstream("{type: transient_error, steps: [{status: 503, delay_ms: 0}, {status: 200, delay_ms: 0}]}")}))(l)
		for _, c := range []struct{ path, want string }{
			{"/", "503 " + errBody}, {"/else/where", "503 " + errBody},
			{"/op/op-1/", "503 " + errBody}, {"/op/op-1", "200 " + okBody},
		} {
			if got, _ := l.get(x.DataURL + c.path); got != c.want {
				l.Errorf("%s: %q, want %q", c.path, got, c.want)
			}
		}
		tally := must(l.Delete(l.Context(), "x"))(l)
		if r := tally.Requests; r["request-1"] != 1 || r["request-2"] != 1 || r["op-1"] != 2 {
			l.Errorf("requests %v", r)
		}
	})
}

func TestHEADHasNoBody(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: healthy}", op("op-1"))
		answer, _ := l.do(l.Context(), http.MethodHead, ops[0].BaseURL, nil)
		if answer != "200 " {
			l.Error(answer)
		}
	})
}
