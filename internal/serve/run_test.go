package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/serve"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// clockOf counts nanoseconds from the start of a bubble.
func clockOf() func() int64 {
	start := time.Now()
	return func() int64 { return int64(time.Since(start)) + 1 }
}

// pretend plays a run: one operation of B that is late after 1510 ms, one of D
// that its deadline ends at 1004 ms. No picture is due at those instants.
func pretend(now func() int64) func(context.Context, serve.Order) (*serve.Measured, error) {
	return func(ctx context.Context, o serve.Order) (*serve.Measured, error) {
		var client []eventlog.Event
		say := func(op string, e eventlog.Event) {
			e.Op, e.TNs = op, now()
			o.Live(eventlog.ClientSide, e)
			e.Seq = uint64(len(client) + 1)
			client = append(client, e)
		}
		start := func(op, variant, label string) {
			say(op, eventlog.Event{Kind: eventlog.OperationStarted, Start: &eventlog.Start{Scenario: o.Scenario.Name, Variant: variant, Label: label,
				Repeat: 1, Index: 1, Phase: eventlog.Measured, BudgetMs: 1000, DeadlineNs: now() + 1e9}})
		}
		start("b", "attempt_timeout", "B")
		start("d", "operation_deadline", "D")
		time.Sleep(1004 * time.Millisecond)
		say("d", eventlog.Event{Kind: eventlog.DeadlineFired})
		say("d", eventlog.Event{Kind: eventlog.OperationFinished, Outcome: eventlog.DeadlineExceeded})
		select {
		case <-time.After(506 * time.Millisecond):
		case <-ctx.Done():
			return nil, errors.New("interrupted")
		}
		say("b", eventlog.Event{Kind: eventlog.OperationFinished, Outcome: eventlog.RetriesExhausted})
		run := timeline.Merge(timeline.Input{Client: client})
		summary := verdict.Judge(run.Operations, timeline.Summarize(run, nil), []*scenario.Scenario{o.Scenario})
		return &serve.Measured{Run: run, Summary: summary}, nil
	}
}

// heard is one server-sent event.
type heard struct {
	name string
	data string
	at   time.Duration
}

// listen reads the events of an answer with the times of their arrival.
func listen(t *testing.T, body io.Reader) []heard {
	t.Helper()
	start := time.Now()
	var list []heard
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		switch name, value, _ := strings.Cut(lines.Text(), ": "); name {
		case "event":
			list = append(list, heard{name: value, at: time.Since(start)})
		case "data":
			last := &list[len(list)-1]
			if !strings.HasPrefix(value, `"`) {
				last.data = value
			} else if err := json.Unmarshal([]byte(value), &last.data); err != nil {
				t.Fatal(err)
			}
		}
	}
	return list
}

func (p *page) post(t *testing.T, ctx context.Context, path, body string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, "POST", "http://"+host+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := p.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// pretendingPage offers slow_headers, and pretends its runs.
func pretendingPage(t *testing.T) *page {
	t.Helper()
	cfg := config(slow(t))
	cfg.Now = clockOf()
	cfg.Measure = pretend(cfg.Now)
	return servePage(t, cfg)
}

// One call of each is drawn twenty times a second with its deadline, then the
// reveal holds the prediction beside what was measured.
func TestOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pretendingPage(t)
		resp := p.post(t, t.Context(), "/scenarios/slow_headers/one", `{"predictions":[
			{"variant":"attempt_timeout","promise":"late","duration_ms":1000,"requests":0},
			{"variant":"operation_deadline","promise":"kept","duration_ms":1040,"requests":null}]}`)
		list := listen(t, resp.Body)
		resp.Body.Close()
		p.end()
		last := list[len(list)-1]
		if last.name != "reveal" || last.at != 1510*time.Millisecond {
			t.Fatalf("the last event is %s at %s: expected the reveal at 1.51s: %.300s", last.name, last.at, last.data)
		}
		for i, e := range list[:len(list)-1] {
			if want := time.Duration(i) * 50 * time.Millisecond; e.name != "picture" || e.at != want {
				t.Fatalf("event %d is %s at %s, expected a picture at %s", i, e.name, e.at, want)
			}
			if !strings.Contains(e.data, "deadline: 1000 ms") || !strings.Contains(e.data, `data-tick="1600"`) {
				t.Fatalf("picture %d lacks the deadline or the end of the axis: %.300s", i, e.data)
			}
		}
		checkPictures(t, list)
		checkReveal(t, last.data)
	})
}

// checkPictures: both are under way for a second, then only B.
func checkPictures(t *testing.T, list []heard) {
	t.Helper()
	for at, want := range map[int]int{10: 2, 25: 1} { // at 500 and 1250 ms
		picture := list[at].data
		if got := strings.Count(picture, "under way"); got != want {
			t.Errorf("at %s %d operations are under way, expected %d", list[at].at, got, want)
		}
		if got := strings.Count(picture, "control is back"); got != 2-want {
			t.Errorf("at %s control is back %d times, expected %d", list[at].at, got, 2-want)
		}
	}
	if picture := list[25].data; !strings.Contains(picture, "overdue") || !strings.Contains(picture, "1000 to 1250 ms") {
		t.Errorf("at 1250 ms the caller is not shown as overdue until now: %s", picture)
	}
}

func checkReveal(t *testing.T, text string) {
	t.Helper()
	for _, want := range []string{"3 of 5 predictions right", "1510 ms", "an error, but in time", "the caller waited", "1040 ms",
		"env.Start.Add(env.Policy.Budget)", `class="decisive"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the reveal lacks %q: %s", want, text)
		}
	}
}

// Dots, then the figures of the series.
func TestThirty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := config(slow(t))
		cfg.Now = clockOf()
		ordered := 0
		cfg.Measure = func(ctx context.Context, o serve.Order) (*serve.Measured, error) {
			ordered = o.Operations
			return pretend(cfg.Now)(ctx, o)
		}
		p := servePage(t, cfg)
		resp := p.post(t, t.Context(), "/scenarios/slow_headers/batch", `{}`)
		list := listen(t, resp.Body)
		resp.Body.Close()
		p.end()
		if ordered != 30 {
			t.Errorf("%d operations were ordered, expected 30", ordered)
		}
		if len(list) != 9 || list[7].at != 1400*time.Millisecond {
			t.Fatalf("%d events, the eighth at %s: expected eight strips, every 200 ms, and the reveal", len(list), list[7].at)
		}
		for i, e := range list[:8] {
			if got, want := strings.Contains(e.data, `"dots promise-failed`), i >= 6; got != want {
				t.Errorf("the strip at %s has a dot for D: %t, expected %t", e.at, got, want)
			}
		}
		last := list[8]
		if last.name != "reveal" || !strings.Contains(last.data, "1510.0 ms") || !strings.Contains(last.data, "too few") {
			t.Errorf("%s lacks the median: %s", last.name, last.data)
		}
	})
}

// A browser that leaves ends its run, and no other.
func TestLeaving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan string, 2)
		cfg := config(scenario.Core()...)
		cfg.Measure = func(ctx context.Context, o serve.Order) (*serve.Measured, error) {
			<-ctx.Done()
			ended <- o.Scenario.Name
			return nil, ctx.Err()
		}
		p := servePage(t, cfg)
		ctx, leave := context.WithCancel(t.Context())
		first := p.post(t, ctx, "/scenarios/slow_headers/one", "{}")
		second := p.post(t, t.Context(), "/scenarios/healthy/one", "{}")
		time.Sleep(time.Second)
		leave()
		time.Sleep(time.Second)
		if name := <-ended; name != "slow_headers" || len(ended) != 0 {
			t.Errorf("the run of %s has ended, and %d more; expected that of slow_headers alone", name, len(ended))
		}
		first.Body.Close()
		second.Body.Close()
		p.end()
	})
}

// More runs than places are refused with the next step; a place is free again
// when its run has ended.
func TestFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pretendingPage(t)
		first := p.post(t, t.Context(), "/scenarios/slow_headers/one", "{}")
		second := p.post(t, t.Context(), "/scenarios/slow_headers/one", "{}")
		third, text := p.ask(t, "POST", "/scenarios/slow_headers/one", "{}")
		if third.StatusCode != http.StatusTooManyRequests || third.Header.Get("Retry-After") == "" || !strings.Contains(text, "2 runs are under way") {
			t.Errorf("status %d: %s", third.StatusCode, text)
		}
		listen(t, first.Body)
		first.Body.Close()
		listen(t, second.Body)
		second.Body.Close()
		fourth, text := p.ask(t, "POST", "/scenarios/slow_headers/one", "{}")
		if fourth.StatusCode != http.StatusOK || !strings.Contains(text, "event: reveal") {
			t.Errorf("after two runs had ended: status %d: %s", fourth.StatusCode, text)
		}
		p.end()
	})
}

// Stopping the server ends what runs, and tells the browser.
func TestStopping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pretendingPage(t)
		resp := p.post(t, t.Context(), "/scenarios/slow_headers/one", "{}")
		time.AfterFunc(1220*time.Millisecond, p.stop)
		list := listen(t, resp.Body)
		last := list[len(list)-1]
		if last.name != "failed" || last.at != 1220*time.Millisecond || !strings.Contains(last.data, "ended before it was over") {
			t.Errorf("%s at %s: %s", last.name, last.at, last.data)
		}
		resp.Body.Close()
		p.end()
	})
}

// A run that never ends loses its place after five minutes.
func TestTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := config(slow(t))
		cfg.Measure = func(ctx context.Context, _ serve.Order) (*serve.Measured, error) {
			<-ctx.Done()
			time.Sleep(time.Millisecond)
			return nil, context.Cause(ctx)
		}
		p := servePage(t, cfg)
		resp := p.post(t, t.Context(), "/scenarios/slow_headers/batch", "{}")
		list := listen(t, resp.Body)
		if last := list[len(list)-1]; last.at != 5*time.Minute+time.Millisecond || !strings.Contains(last.data, "took longer than 5m0s") {
			t.Errorf("%s at %s: %s", last.name, last.at, last.data)
		}
		resp.Body.Close()
		p.end()
	})
}

// What went wrong reaches the page.
func TestFailed(t *testing.T) {
	p := servePage(t, config(slow(t)))
	defer p.end()
	if _, text := p.ask(t, "POST", "/scenarios/slow_headers/one", "{}"); !strings.Contains(text, "event: failed\ndata: {\"problem\":\"nothing is measured here\"") {
		t.Errorf("got %s", text)
	}
}
