//go:build unix

package lab

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// bigRunEnv names the directory that TestAnalyzeBigRun reads.
const bigRunEnv = "BENCH_TEST_BIG_RUN"

// BenchmarkAnalyze rebuilds a run of 1,000,000 events in a process of its own,
// as `bench analyze` does.
func BenchmarkAnalyze(b *testing.B) {
	const events = 1_000_000
	dir := b.TempDir()
	writeBigRun(b, dir, events)
	var took time.Duration
	peak := 0.0
	for b.Loop() {
		cmd := exec.Command(os.Args[0], "-test.run=^TestAnalyzeBigRun$")
		cmd.Env = append(os.Environ(), bigRunEnv+"="+dir)
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		took += time.Since(start)
		peak = max(peak, float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)/1024)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(took.Seconds()/float64(b.N), "s")
	b.ReportMetric(peak, "MiB-peak")
}

// TestAnalyzeBigRun is the child of BenchmarkAnalyze.
func TestAnalyzeBigRun(t *testing.T) {
	dir := os.Getenv(bigRunEnv)
	if dir == "" {
		t.Skip("the child of BenchmarkAnalyze")
	}
	var out strings.Builder
	code, err := analysis.Analyze(console.NewStreams(strings.NewReader(""), &out, io.Discard, os.Getenv), dir, false)
	if code != exit.OK || err != nil || !strings.Contains(out.String(), "finished operations") {
		t.Fatalf("code %d, %v: %s", code, err, out.String())
	}
}

// writeBigRun makes a complete run directory with that many events: operations
// that time out, wait, and meet their deadline in the second wait.
func writeBigRun(b *testing.B, path string, events int) {
	b.Helper()
	s, err := scenario.Load("slow_headers")
	if err != nil {
		b.Fatal(err)
	}
	const repeats = 3
	each := len(bigOperation(runner.Item{}, 0))
	plan, err := runner.NewPlan([]*scenario.Scenario{s}, nil, runner.Options{Repeats: repeats, Operations: events / each / repeats / len(s.Variants)})
	if err != nil {
		b.Fatal(err)
	}
	dir, err := rundir.Create(analysis.Results, "big", path, time.Now())
	if err != nil {
		b.Fatal(err)
	}
	m, err := NewMeasurement(plan, dir, MeasurementOptions{Label: "big"})
	if err != nil {
		b.Fatal(err)
	}
	if err := writeBigLogs(dir, plan); err != nil {
		b.Fatal(err)
	}
	if err := m.Close(nil); err != nil {
		b.Fatal(err)
	}
}

// bigLog is one side's log being written.
type bigLog struct {
	*bufio.Writer
	file *os.File
	seq  uint64
}

func newBigLog(dir *rundir.Dir, name, side string) (*bigLog, error) {
	f, err := dir.Log(name)
	if err != nil {
		return nil, err
	}
	l := &bigLog{Writer: bufio.NewWriter(f), file: f}
	l.add(eventlog.Event{Kind: eventlog.LogOpened, Header: &eventlog.Header{Schema: eventlog.Schema, SchemaVersion: eventlog.SchemaVersion, Side: side, Experiment: "x1", Scenario: "slow_headers"}})
	return l, nil
}

func (l *bigLog) add(e eventlog.Event) {
	l.seq++
	e.Seq = l.seq
	l.Write(append(eventlog.AppendJSON(nil, &e), '\n'))
}

func (l *bigLog) close() error {
	if err := l.Flush(); err != nil {
		return err
	}
	return l.file.Close()
}

func writeBigLogs(dir *rundir.Dir, plan *runner.Plan) error {
	client, err := newBigLog(dir, rundir.ClientLog, eventlog.ClientSide)
	if err != nil {
		return err
	}
	server, err := newBigLog(dir, rundir.ServerLog, eventlog.ServerSide)
	if err != nil {
		return err
	}
	for i, it := range plan.Items {
		for _, e := range bigOperation(it, int64(i)*2e9+1) {
			if e.Exp == "" {
				client.add(e)
			} else {
				server.add(e)
			}
		}
	}
	if err := client.close(); err != nil {
		return err
	}
	return server.close()
}

// bigOperation is the events of both sides of an operation that starts at t0,
// in the order of their times; those of the server name their experiment.
func bigOperation(it runner.Item, t0 int64) (events []eventlog.Event) {
	conn := func(n int) string { return fmt.Sprintf("127.0.0.1:%d", 32768+(int(t0/1e9)+n)%28000) }
	add := func(ms float64, e eventlog.Event) {
		e.Op, e.TNs = it.Op, t0+int64(ms*1e6)
		events = append(events, e)
	}
	add(0, eventlog.Event{Kind: eventlog.OperationStarted, Start: &eventlog.Start{Scenario: it.Scenario, Variant: it.Variant, Label: it.Label,
		Repeat: it.Repeat, Index: it.Index, Phase: it.Phase, BudgetMs: 1000, DeadlineNs: t0 + 1e9}})
	for n, from := range []float64{0, 500} {
		a, x := n+1, n+1
		for i, k := range []eventlog.Kind{eventlog.AttemptStarted, eventlog.ConnectionWaitStarted, eventlog.ConnectStarted, eventlog.ConnectFinished} {
			add(from+0.01*float64(i+1), eventlog.Event{Kind: k, Attempt: a})
		}
		add(from+0.06, eventlog.Event{Kind: eventlog.ConnectionAcquired, Attempt: a, Conn: conn(n)})
		add(from+0.07, eventlog.Event{Kind: eventlog.RequestWritten, Attempt: a})
		add(from+0.1, eventlog.Event{Kind: eventlog.ServerRequestStarted, Exp: "x1", Attempt: a, Exchange: x, Conn: conn(n)})
		add(from+0.11, eventlog.Event{Kind: eventlog.FaultArmed, Exp: "x1", Attempt: a, Exchange: x, Fault: "slow_headers", DueNs: t0 + int64((from+800)*1e6)})
		add(from+400.1, eventlog.Event{Kind: eventlog.AttemptTimedOut, Attempt: a, Limit: "total_ms", DueNs: t0 + int64((from+400)*1e6), LateMs: 0.1})
		add(from+400.11, eventlog.Event{Kind: eventlog.BackoffStarted, Attempt: a, PlannedMs: 100 * float64(a), RemainingMs: 599 - from})
		add(from+400.2, eventlog.Event{Kind: eventlog.ServerClientGone, Exp: "x1", Attempt: a, Exchange: x, Conn: conn(n), How: "fin"})
		if n == 0 {
			add(499.9, eventlog.Event{Kind: eventlog.BackoffFinished, Attempt: a})
		}
	}
	late := 0.5 + float64(it.Index%50)/100
	add(1000+late, eventlog.Event{Kind: eventlog.DeadlineFired, DueNs: t0 + 1e9, LateMs: late})
	add(1000+late+0.01, eventlog.Event{Kind: eventlog.CancellationObserved, Cause: "operation_deadline"})
	add(1000+late+0.02, eventlog.Event{Kind: eventlog.OperationFinished, Outcome: eventlog.DeadlineExceeded,
		ErrorType: "*variants.StopError", Error: "deadline_exceeded: operation deadline"})
	for n, at := range []float64{1200, 1300} {
		x := eventlog.Event{Exp: "x1", Attempt: n + 1, Exchange: n + 1}
		for i, k := range []eventlog.Kind{eventlog.ServerHeadersPrepared, eventlog.FaultFired, eventlog.ServerHandlerFinished} {
			x.Kind = k
			switch k {
			case eventlog.ServerHeadersPrepared:
				x.Status = 200
			case eventlog.FaultFired:
				x.Status, x.Fault, x.DueNs, x.LateMs = 0, "slow_headers", t0+int64(at*1e6), 0.1
			default:
				x.Fault, x.DueNs, x.LateMs, x.Error = "", 0, 0, "the client has left"
			}
			add(at+0.1+0.01*float64(i), x)
		}
	}
	return events
}
