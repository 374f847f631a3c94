package runner_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

const FromMs = int64(time.Millisecond)

// parse is a scenario of two variants with these keys beside the texts.
func parse(t *testing.T, keys string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse("test.yaml", []byte("name: test\nquestion: Does it?\nlesson: It does.\ncontrast: [attempt_timeout, operation_deadline]\n"+keys+`
variants: [attempt_timeout, operation_deadline]
expect:
  attempt_timeout: {outcome: success}
  operation_deadline: {outcome: success}
`))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ends lists when each caller of an item started, from the first one's t0, and
// how and when it ended, from its own.
func ends(rec *record, it runner.Item) []string {
	var list []string
	first := rec.client[it.Ops()[0]][0].TNs
	for _, op := range it.Ops() {
		events := rec.client[op]
		end := events[len(events)-1]
		list = append(list, fmt.Sprintf("%d+%d %s", (events[0].TNs-first)/FromMs, (end.TNs-events[0].TNs)/FromMs, end.Outcome))
	}
	return list
}

func conns(rec *record, it runner.Item) int {
	seen := map[string]bool{}
	for _, op := range it.Ops() {
		for _, e := range rec.client[op] {
			if e.Kind == eventlog.ConnectionAcquired {
				seen[e.Conn] = true
			}
		}
	}
	return len(seen)
}

// Callers start a gap apart, each an operation of its own with its own timeline.
func TestCallers(t *testing.T) {
	inLab(t, func(l *lab) {
		s := parse(t, `
operation: {budget_ms: 1000}
callers: {count: 3, start_gap_ms: 40}
scenario: {type: healthy, response_delay_ms: 100}`)
		var last runner.Progress
		l.config = func(c *runner.Config) { c.Progress = func(at runner.Progress) { last = at } }
		p := l.plan(runner.Options{Repeats: 2, Operations: 2}, "D", s)
		rec := l.mustRun(p)
		if last != (runner.Progress{Done: 15, Total: 15}) || p.Total() != 15 {
			t.Errorf("%+v of %d", last, p.Total())
		}
		for _, it := range p.Items {
			if got := fmt.Sprint(ends(rec, it)); got != "[0+100 success 40+100 success 80+100 success]" {
				t.Errorf("%s: %s", it.Op, got)
			}
			if n := conns(rec, it); n != 3 {
				t.Errorf("%s: %d connections of callers that share none", it.Op, n)
			}
			for i, op := range it.Ops() {
				if s := rec.client[op][0].Start; s.Group != it.Op || s.Caller != i+1 || s.Phase != it.Phase {
					t.Errorf("%s: %+v", op, s)
				}
			}
		}
		if got := p.Items[len(p.Items)-1].Ops()[2]; got != "test-r2-D-m0001c03" && got != "test-r2-D-m0002c03" {
			t.Error(got)
		}
	})
}

// Callers that share the transport use one pool after another; with a limit of
// one they queue for its connection.
func TestSharedTransport(t *testing.T) {
	for _, c := range []struct {
		pool  string
		want  string
		conns int
	}{
		{"null", "[0+100 success 150+100 success 300+100 success]", 1},
		{"{limit: 1}", "[0+100 success 150+100 success 300+100 success]", 1},
	} {
		inLab(t, func(l *lab) {
			p := l.plan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, "D", parse(t, `
operation: {budget_ms: 1000}
pool: `+c.pool+`
callers: {count: 3, share: [transport], start_gap_ms: 150}
scenario: {type: healthy, response_delay_ms: 100}`))
			rec := l.mustRun(p)
			if got := fmt.Sprint(ends(rec, p.Items[0])); got != c.want || conns(rec, p.Items[0]) != c.conns {
				t.Errorf("pool %s: %s, %d connections", c.pool, got, conns(rec, p.Items[0]))
			}
		})
	}
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, "D", parse(t, `
operation: {budget_ms: 1000}
pool: {limit: 1}
callers: {count: 3, share: [transport], start_gap_ms: 10}
scenario: {type: healthy, response_delay_ms: 100}`))
		rec := l.mustRun(p)
		if got := fmt.Sprint(ends(rec, p.Items[0])); got != "[0+100 success 10+190 success 20+280 success]" {
			t.Error(got)
		}
	})
}

// Callers that share the slot queue for it in the order in which they come; the
// arithmetic says the same. Those with slots of their own do not.
func TestSharedSlots(t *testing.T) {
	for _, c := range []struct{ share, label, want string }{
		{"[slots]", "B", "[0+100 success 10+190 success 20+280 success 30+370 success]"},
		{"[slots]", "D", "[0+100 success 10+190 success 20+250 deadline_exceeded 30+250 deadline_exceeded]"},
		{"[transport]", "D", "[0+100 success 10+100 success 20+100 success 30+100 success]"},
	} {
		inLab(t, func(l *lab) {
			p := l.plan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, c.label, parse(t, `
operation: {budget_ms: 250}
slots: 1
callers: {count: 4, share: `+c.share+`, start_gap_ms: 10}
scenario: {type: healthy, response_delay_ms: 100}`))
			rec := l.mustRun(p)
			if got := fmt.Sprint(ends(rec, p.Items[0])); got != c.want {
				t.Errorf("%s %s: %s", c.share, c.label, got)
			}
			for i, op := range p.Items[0].Ops() {
				events := rec.client[op]
				computed := p.Computed()[0].Callers[i]
				if end := events[len(events)-1]; end.Outcome != computed.Outcome || time.Duration(end.TNs-events[0].TNs) != computed.Duration {
					t.Errorf("%s: computed %s after %s", op, computed.Outcome, computed.Duration)
				}
			}
		})
	}
}

// What holds the only slot holds it for all callers, from the first one's t0.
func TestHeldSlotOfCallers(t *testing.T) {
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, "B", parse(t, `
operation: {budget_ms: 1000}
callers: {count: 2, share: [slots], start_gap_ms: 10}
scenario: {type: semaphore_wait, hold_ms: 500, response_delay_ms: 20}`))
		rec := l.mustRun(p)
		if got := fmt.Sprint(ends(rec, p.Items[0])); got != "[0+520 success 10+530 success]" {
			t.Error(got)
		}
		if s := rec.client[p.Items[0].Helper][0].Start; s.For != p.Items[0].Ops()[0] || s.Group != "" {
			t.Errorf("%+v", s)
		}
	})
}

// Each caller cancels for itself.
func TestCancelOfCallers(t *testing.T) {
	inLab(t, func(l *lab) {
		p := l.plan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, "D", parse(t, `
operation: {budget_ms: 1000}
callers: {count: 3, share: [transport], start_gap_ms: 10}
scenario: {type: cancel_in_http, response_delay_ms: 300, delay_after_event_ms: 100}`))
		rec := l.mustRun(p)
		if got := fmt.Sprint(ends(rec, p.Items[0])); got != "[0+100 cancelled 10+100 cancelled 20+100 cancelled]" {
			t.Error(got)
		}
	})
}

// A group takes as many places as it has callers, all of them if there are not enough.
func TestParallelCallers(t *testing.T) {
	for _, c := range []struct{ parallel, most int }{{6, 6}, {4, 3}, {2, 3}} {
		inLab(t, func(l *lab) {
			most := 0
			l.config = func(cfg *runner.Config) {
				cfg.Parallel = c.parallel
				cfg.Progress = func(at runner.Progress) { most = max(most, at.Running) }
			}
			l.mustRun(l.plan(runner.Options{Repeats: 1, Operations: 8}, "D", parse(t, `
operation: {budget_ms: 1000}
callers: {count: 3}
scenario: {type: healthy, response_delay_ms: 100}`)))
			if most != c.most {
				t.Errorf("%d places: %d at once", c.parallel, most)
			}
		})
	}
}

// The caller's own deadline ends what the client's would not have; one that has
// passed on arrival lets nothing out, although a slot is free.
func TestCallerDeadline(t *testing.T) {
	for _, c := range []struct {
		deadline string
		want     string
		requests int
	}{
		{"300", "[0+300 deadline_exceeded]", 1},
		{"2000", "[0+800 success]", 1},
		{"0", "[0+0 deadline_exceeded]", 0},
		{"-5", "[0+0 deadline_exceeded]", 0},
	} {
		inLab(t, func(l *lab) {
			p := l.plan(runner.Options{Repeats: 1, Operations: 3}, "B D", parse(t, `
operation: {budget_ms: 1000, max_attempts: 1}
attempt: {total_ms: null}
slots: 1
caller_deadline_ms: `+c.deadline+`
scenario: {type: slow_headers, response_delay_ms: 800}`))
			rec := l.mustRun(p)
			for _, it := range p.Items {
				events := rec.client[it.Op]
				if got := fmt.Sprint(ends(rec, it)); got != c.want || count(rec.server[it.Op], eventlog.ServerRequestStarted) != c.requests {
					t.Errorf("%s ms, %s: %s, %s", c.deadline, it.Op, got, kinds(rec.server[it.Op]))
				}
				fired, ok := first(events, eventlog.DeadlineFired)
				if early := c.deadline != "2000"; early != ok || early && fired.Cause != "caller_deadline" {
					t.Errorf("%s ms, %s: %+v", c.deadline, it.Op, fired)
				}
				for i, computed := range p.Computed() {
					if p.Cells[i].Variant == it.Variant && fmt.Sprintf("[0+%d %s]", int64(computed.Duration)/FromMs, computed.Outcome) != c.want {
						t.Errorf("%s ms: computed %s after %s", c.deadline, computed.Outcome, computed.Duration)
					}
				}
			}
		})
	}
}

// deadline_ns is the caller's if that is earlier, and never before the call.
func TestCallerDeadlineIsRecorded(t *testing.T) {
	for _, c := range []struct {
		deadline string
		after    int64
		t0       bool
	}{{"null", 1000, false}, {"300", 300, true}, {"1500", 1000, false}, {"-5", 0, true}} {
		inLab(t, func(l *lab) {
			p := l.plan(runner.Options{Repeats: 1, Operations: 1, NoWarmup: true}, "D", parse(t, `
operation: {budget_ms: 1000}
caller_deadline_ms: `+c.deadline+`
scenario: {type: healthy}`))
			e := l.mustRun(p).client[p.Items[0].Op][0]
			if e.Start.DeadlineNs != e.TNs+c.after*FromMs || c.t0 != (e.Start.T0Ns == e.TNs) || e.Start.BudgetMs != 1000 {
				t.Errorf("%s: %+v at %d", c.deadline, e.Start, e.TNs)
			}
		})
	}
}

// leaksOf finds what was counted for a variant.
func leaksOf(t *testing.T, rec *record, variant string) eventlog.Leaks {
	t.Helper()
	i := slices.IndexFunc(rec.client[""], func(e eventlog.Event) bool { return e.Kind == eventlog.LeaksCounted && e.Leaks.Variant == variant })
	if i < 0 {
		t.Fatalf("no leaks of %s were counted", variant)
	}
	return *rec.client[""][i].Leaks
}
