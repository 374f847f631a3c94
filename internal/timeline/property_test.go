package timeline_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// author writes random valid histories: operations one after another or
// overlapping, each with any number of attempts, dials, replays and pauses.
type author struct {
	*rand.Rand
	in  timeline.Input
	now int64
	seq map[string]uint64
}

func (a *author) wait() { a.now += a.Int64N(3_000_000) }

func (a *author) client(e eventlog.Event) {
	e.Seq, e.TNs = uint64(len(a.in.Client)+1), a.now
	a.in.Client = append(a.in.Client, e)
}

func (a *author) server(e eventlog.Event) {
	e.Exp = "x" + e.Op[:1]
	a.seq[e.Exp]++
	e.Seq, e.TNs = a.seq[e.Exp], a.now
	a.in.Server = append(a.in.Server, e)
}

func randomHistory(seed uint64, operations int) timeline.Input {
	a := &author{Rand: rand.New(rand.NewPCG(seed, 1)), now: 1_000_000, seq: map[string]uint64{}}
	for i := range operations {
		a.operation(fmt.Sprintf("%d-m%05d", i%3, i), i)
	}
	return a.in
}

func (a *author) operation(op string, i int) {
	a.client(eventlog.Event{Kind: eventlog.OperationStarted, Op: op, Start: &eventlog.Start{Scenario: "s" + op[:1], Variant: "v",
		Label: "V", Repeat: i%3 + 1, Index: i, Phase: eventlog.Measured, BudgetMs: 10, DeadlineNs: a.now + 10_000_000}})
	if a.IntN(2) == 0 {
		a.client(eventlog.Event{Kind: eventlog.AdmissionWaitStarted, Op: op})
		a.wait()
		a.client(eventlog.Event{Kind: eventlog.AdmissionAcquired, Op: op})
	}
	exchange := 0
	for n := range a.IntN(4) {
		a.attempt(op, n+1, &exchange)
		a.wait()
		if a.IntN(2) == 0 {
			a.client(eventlog.Event{Kind: eventlog.BackoffStarted, Op: op, PlannedMs: 2})
			a.wait()
			a.client(eventlog.Event{Kind: eventlog.BackoffFinished, Op: op})
		}
	}
	a.client(eventlog.Event{Kind: eventlog.NoiseSampled, DueNs: a.now, LateMs: a.Float64()})
	a.wait()
	a.client(eventlog.Event{Kind: eventlog.OperationFinished, Op: op, Outcome: eventlog.Outcomes[a.IntN(len(eventlog.Outcomes))]})
}

func (a *author) attempt(op string, n int, exchange *int) {
	ends := []eventlog.Kind{eventlog.AttemptFinished, eventlog.AttemptTimedOut, eventlog.AttemptCancelled, eventlog.AttemptFailed}
	step := func(k eventlog.Kind) {
		a.client(eventlog.Event{Kind: k, Op: op, Attempt: n, Conn: connOf(k, op, n), Status: 200})
		a.wait()
	}
	step(eventlog.AttemptStarted)
	for _, k := range []eventlog.Kind{eventlog.ConnectionWaitStarted, eventlog.DNSStarted, eventlog.DNSFinished, eventlog.ConnectStarted,
		eventlog.ConnectFinished, eventlog.ConnectionAcquired, eventlog.RequestWritten} {
		if a.IntN(12) == 0 {
			step(ends[1+a.IntN(3)]) // cut off here
			return
		}
		step(k)
	}
	for range a.IntN(3) {
		*exchange++
		a.exchange(op, n, *exchange)
	}
	step(eventlog.HeadersReceived)
	step(eventlog.BodyFinished)
	step(ends[a.IntN(4)])
}

func connOf(k eventlog.Kind, op string, n int) string {
	if k == eventlog.ConnectionAcquired {
		return fmt.Sprint(op, "/", n)
	}
	return ""
}

func (a *author) exchange(op string, attempt, n int) {
	conn := fmt.Sprint(op, "/", attempt)
	a.server(eventlog.Event{Kind: eventlog.ServerRequestStarted, Op: op, Exchange: n, Conn: conn})
	a.server(eventlog.Event{Kind: eventlog.FaultArmed, Op: op, Exchange: n, DueNs: a.now})
	a.server(eventlog.Event{Kind: eventlog.FaultFired, Op: op, Exchange: n, LateMs: a.Float64()})
	a.wait()
	a.server(eventlog.Event{Kind: eventlog.ServerHandlerFinished, Op: op, Exchange: n})
}

// Whatever a valid history holds: no requirement is broken, the parts add up to
// the microsecond, every attempt has one end, every exchange its attempt.
func TestValidHistories(t *testing.T) {
	for seed := range uint64(60) {
		run := timeline.Merge(randomHistory(seed, 40))
		if len(run.Problems) > 0 || !run.Valid || len(run.Operations) != 40 {
			t.Fatalf("seed %d: %d operations, problems %v", seed, len(run.Operations), run.Problems)
		}
		for _, op := range run.Operations {
			checkOperation(t, seed, op)
		}
		checkSeries(t, seed, timeline.Summarize(run, nil))
	}
}

func checkOperation(t *testing.T, seed uint64, op *timeline.Operation) {
	t.Helper()
	sum := int64(0)
	for _, part := range op.Where.Parts() {
		sum += int64(math.Round(part * 1000))
		if part < 0 {
			t.Errorf("seed %d, %s: negative part in %+v", seed, op.Op, op.Where)
		}
	}
	if sum != int64(math.Round(op.DurationMs*1000)) {
		t.Errorf("seed %d, %s: parts %d µs, duration %v ms", seed, op.Op, sum, op.DurationMs)
	}
	exchanges := len(op.Stray)
	for _, a := range op.Attempts {
		exchanges += len(a.Exchanges)
		if a.End == "" || a.Open || a.FromMs > a.ToMs || a.ToMs > op.DurationMs {
			t.Errorf("seed %d, %s: attempt %+v", seed, op.Op, a)
		}
	}
	if exchanges != op.ServerRequests || len(op.Stray) > 0 || !op.Valid {
		t.Errorf("seed %d, %s: %d exchanges, %d requests, stray %v, reasons %v", seed, op.Op, exchanges, op.ServerRequests, op.Stray, op.Reasons)
	}
}

func checkSeries(t *testing.T, seed uint64, all []timeline.Series) {
	t.Helper()
	for _, s := range all {
		if s.N+s.Disturbed != s.Planned || s.Invalid != 0 {
			t.Errorf("seed %d: n %d, disturbed %d of %d", seed, s.N, s.Disturbed, s.Planned)
		}
		if _, err := json.Marshal(s); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// The order in which a side's events arrive changes nothing.
func TestInputOrderDoesNotMatter(t *testing.T) {
	for seed := range uint64(20) {
		in := randomHistory(seed, 15)
		want := timeline.Merge(in)
		wantSeries := timeline.Summarize(want, nil)
		in.Client, in.Server = slices.Clone(in.Client), slices.Clone(in.Server) // want still reads the others
		random := rand.New(rand.NewPCG(seed, 2))
		random.Shuffle(len(in.Client), func(i, j int) { in.Client[i], in.Client[j] = in.Client[j], in.Client[i] })
		random.Shuffle(len(in.Server), func(i, j int) { in.Server[i], in.Server[j] = in.Server[j], in.Server[i] })
		got := timeline.Merge(in)
		if diff := cmp.Diff(want.Operations, got.Operations); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		if diff := cmp.Diff(wantSeries, timeline.Summarize(got, nil)); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		for _, op := range want.Operations {
			if diff := cmp.Diff(want.Entries(op.Op), got.Entries(op.Op)); diff != "" {
				t.Fatalf("seed %d: %s", seed, diff)
			}
		}
	}
}

// Merge leaves its input as it was.
func TestMergeChangesNoInput(t *testing.T) {
	in, before := randomHistory(3, 10), randomHistory(3, 10)
	run := timeline.Merge(in)
	timeline.Summarize(run, nil)
	run.Entries(run.Operations[0].Op)
	if diff := cmp.Diff(before, in); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkMergeAndSummarize(b *testing.B) {
	in := randomHistory(1, 50_000)
	b.ReportAllocs()
	for b.Loop() {
		timeline.Summarize(timeline.Merge(in), nil)
	}
	b.ReportMetric(float64(len(in.Client)+len(in.Server)), "events")
}
