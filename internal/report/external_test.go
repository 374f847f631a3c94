package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/term"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	verdictpkg "github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

// logs is a run written by hand: curl as a process per operation, an adapter.
type logs struct {
	in    timeline.Input
	t     int64
	calls int
}

func (l *logs) add(server bool, ms float64, e eventlog.Event) {
	e.TNs = l.t + int64(ms*1e6)
	list := &l.in.Client
	if server {
		list, e.Exp = &l.in.Server, "x"
	}
	e.Seq = uint64(len(*list) + 1)
	*list = append(*list, e)
}

// call is one operation of one request, answered in full after took ms.
func (l *logs) call(s eventlog.Start, startup, took, ends float64, outcome eventlog.Outcome, errorType, broke string) {
	l.calls++
	l.t = int64(l.calls) * 10e9
	op := fmt.Sprintf("%s-%s-%d", s.Scenario, s.Variant, l.calls)
	s.Label, s.Repeat, s.Index, s.BudgetMs = s.Variant, 1, l.calls, 1000
	s.DeadlineNs = l.t + 1000e6
	l.add(false, 0, eventlog.Event{Op: op, Kind: eventlog.OperationStarted, Start: &s})
	if !s.Blind {
		l.add(false, 0, eventlog.Event{Op: op, Kind: eventlog.AttemptStarted, Attempt: 1})
	}
	l.add(true, startup, eventlog.Event{Op: op, Kind: eventlog.ServerRequestStarted, Exchange: 1})
	l.add(true, startup+1, eventlog.Event{Op: op, Kind: eventlog.ServerHeadersWritten, Exchange: 1, Status: 200})
	if outcome == eventlog.Success {
		l.add(true, startup+took, eventlog.Event{Op: op, Kind: eventlog.ServerBodyFinished, Exchange: 1})
	} else {
		l.add(true, ends, eventlog.Event{Op: op, Kind: eventlog.ServerClientGone, Exchange: 1, How: "fin"})
	}
	if !s.Blind {
		l.add(false, startup+2, eventlog.Event{Op: op, Kind: eventlog.HeadersReceived, Attempt: 1, Status: 200})
		if broke == "" {
			l.add(false, ends, eventlog.Event{Op: op, Kind: eventlog.AttemptTimedOut, Attempt: 1, Limit: "total_ms"})
		}
	}
	cause := ""
	if broke != "" {
		cause = "client_broke"
	}
	l.add(false, ends, eventlog.Event{Op: op, Kind: eventlog.OperationFinished, Outcome: outcome, ErrorType: errorType, Error: broke, Cause: cause})
	l.add(true, ends+50, eventlog.Event{Op: op, Kind: eventlog.ServerHandlerFinished, Exchange: 1})
}

// externalRun is the run: curl starts in 40 ms and is in time net of it, careless
// never looks at its budget, and an adapter breaks once.
func externalRun() view.Input {
	l := &logs{}
	exec := func(name string, phase eventlog.Phase, in string) eventlog.Start {
		return eventlog.Start{Scenario: in, Variant: name, Phase: phase, Client: eventlog.ExecClient, Blind: true}
	}
	for i := range 6 {
		cost := 40 + float64(i)/10
		l.call(exec("curl", eventlog.Startup, "healthy"), cost, 2, cost+2, eventlog.Success, "", "")
		l.call(exec("careless", eventlog.Startup, "healthy"), cost, 2, cost+2, eventlog.Success, "", "")
	}
	for i := range 6 {
		more := float64(i) / 10
		l.call(exec("curl", eventlog.Measured, "slow_body"), 38, 1200, 1041+more, eventlog.DeadlineExceeded, "exit status 28", "")
		l.call(exec("careless", eventlog.Measured, "slow_body"), 38, 1125, 1167+more, eventlog.Success, "", "")
		broke := map[bool]string{true: "wrote a line that is no JSON: <html>"}[i == 3]
		s := eventlog.Start{Scenario: "slow_body", Variant: "aiohttp", Phase: eventlog.Measured, Client: eventlog.AdapterClient}
		l.call(s, 1, 1200, 1001+more, map[bool]eventlog.Outcome{true: eventlog.ClientError, false: eventlog.DeadlineExceeded}[i == 3], "TimeoutError", broke)
	}
	return l.judged()
}

func (l *logs) judged() view.Input {
	cell := func(in, name, kind string, n int, not string) timeline.Cell {
		return timeline.Cell{Scenario: in, Variant: name, Label: name, Planned: n, BudgetMs: 1000, Client: kind, NotApplicable: not}
	}
	run := timeline.Merge(l.in)
	series := timeline.Summarize(run, []timeline.Cell{cell("slow_body", "curl", "exec", 6, ""), cell("slow_body", "careless", "exec", 6, ""), cell("slow_body", "aiohttp", "adapter", 6, ""),
		cell("semaphore_wait", "curl", "exec", 0, "the client has no slots that the bench could occupy"), cell("semaphore_wait", "careless", "exec", 0, "the client has no slots that the bench could occupy"),
		cell("semaphore_wait", "aiohttp", "adapter", 0, "the client has no slots that the bench could occupy")})
	summary := verdictpkg.Judge(run.Operations, series, nil)
	summary.Status = rundir.Complete
	summary.DescribeClients([]scenario.Client{
		{Name: "curl", Kind: "exec", Program: "curl", Version: "curl 8.14.1 (x86_64-pc-linux-gnu) libcurl/8.14.1", Command: []string{"curl", "-sS", "--max-time", "{budget_s}", "{url}"}, Capabilities: []string{"cancel"}},
		{Name: "careless", Kind: "exec", Program: "curl", Version: "8.14.1", Command: []string{"curl", "-sS", "{url}"}, Capabilities: []string{"cancel"}},
		{Name: "aiohttp", Kind: "adapter", Program: "aiohttp", Version: "3.8.4", Language: "Python 3.11.2", Command: []string{"python3", "client.py"},
			Settings: []scenario.ClientSetting{{Name: "timeout", Value: "total 400 ms"}, {Name: "retries", Value: "2 after 503"}}}})
	return view.Input{Summary: summary, Operations: run.Operations}
}

// Every format shows clients in processes of their own, and says of a process
// per operation what its figures are net of.
func TestFormatsAbroad(t *testing.T) {
	const series, operation = "net of a start-up of up to 40.2 ms (measured with the same command under healthy)", "net of a start-up of 38.0 ms (measured with the same command under healthy)"
	for _, name := range Formats() {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Write(name, &b, externalRun()); err != nil {
				t.Fatal(err)
			}
			fixture.Golden(t, "external."+name+".golden", withoutAssets(b.Bytes()))
			text := strings.Join(strings.Fields(b.String()), " ")
			if !strings.Contains(text, series) && !strings.Contains(text, operation) {
				t.Errorf("nothing says %q", series)
			}
			if !strings.Contains(text, "no slots that the bench could occupy") && name != "trace" && name != "gobench" {
				t.Error("nothing says why a series is not applicable")
			}
		})
	}
}

// Whoever has no letter is called by a name, once: a client, and a variant that
// somebody added.
func TestNameWithoutALetterIsSaidOnce(t *testing.T) {
	for _, kind := range []string{"", "adapter"} {
		for _, name := range []string{"text", "markdown", "junit"} {
			in, b := externalRun(), bytes.Buffer{}
			for i := range in.Summary.Series {
				in.Summary.Series[i].Client = kind
			}
			if err := Write(name, &b, in); err != nil {
				t.Fatal(err)
			}
			for _, s := range in.Summary.Series {
				if strings.Contains(b.String(), s.Variant+" "+s.Variant) {
					t.Errorf("%s: %q is said twice:\n%s", name, s.Variant, b.String())
				}
			}
		}
	}
}

// A client that breaks fails the run without any expectation, and what cannot
// be measured has no weight in the verdict.
func TestBrokenClientFails(t *testing.T) {
	s := externalRun().Summary
	if s.Verdict != verdictpkg.Fail || verdictpkg.ExitCode(s, false) != 10 {
		t.Errorf("verdict %s, exit %d", s.Verdict, verdictpkg.ExitCode(s, false))
	}
	want := verdictpkg.Check{Requirement: "client", Expected: "every call ends as a client's calls do", Actual: "broke in 1 of 6: wrote a line that is no JSON: <html>", Verdict: verdictpkg.Fail}
	aiohttp := s.SeriesOf("slow_body", "aiohttp")
	if !slices.Equal(aiohttp.Checks, []verdictpkg.Check{want}) || aiohttp.N != 5 || aiohttp.Invalid != 1 {
		t.Errorf("n %d, invalid %d, checks %+v", aiohttp.N, aiohttp.Invalid, aiohttp.Checks)
	}
	if s.Counts != (verdictpkg.Counts{Series: 6, Fail: 1, Unjudged: 2, NotApplicable: 3}) {
		t.Errorf("%+v", s.Counts)
	}
}

// --require judges what there is: in time net of the start-up is in time.
func TestRequireAbroad(t *testing.T) {
	s := externalRun().Summary
	if err := verdictpkg.Require(s, verdictpkg.RequireBounded); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]verdictpkg.Verdict{"curl": verdictpkg.Pass, "careless": verdictpkg.Fail} {
		if got := s.SeriesOf("slow_body", name).Verdict; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if got := s.SeriesOf("semaphore_wait", name); got.Verdict != verdictpkg.NotApplicable || len(got.Checks) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Without a start-up nothing of a process per operation can be judged.
func TestNoStartupIsInconclusive(t *testing.T) {
	one := timeline.Series{Scenario: "slow_body", Variant: "curl", Label: "curl", Client: eventlog.ExecClient, Planned: 6, Invalid: 6}
	s := verdictpkg.Judge(nil, []timeline.Series{one}, nil)
	if s.Verdict != verdictpkg.Inconclusive || len(s.Series[0].Checks) != 1 || s.Series[0].Checks[0].Requirement != "client" {
		t.Errorf("%+v", s.Series)
	}
}

// What leads on from a finding of such a client names it as the run was told of
// it, and what judges it again repeats what decides the verdict.
func TestNextAbroad(t *testing.T) {
	in := externalRun()
	if err := verdictpkg.Require(in.Summary, verdictpkg.RequireBounded); err != nil {
		t.Fatal(err)
	}
	in.Summary.Clients[1].Manifest = "my clients.yaml"
	in.Run = &rundir.Run{Require: verdictpkg.RequireBounded, Arguments: []string{"run", "./slow_body.yaml", "--clients", "my clients.yaml", "--client", "python3 client.py",
		"--exec-outcome", "3=refused", "--exec-outcome=careless:4=cancelled", "--exec-outcome", "curl:5=refused", "--seed=7", "--labserver", "http://10.0.0.1:7000", "--token-file", "token", "--operations", "3"}}
	var got []string
	for _, f := range in.Summary.Findings() {
		got = append(got, in.Next(f), in.Again(f))
	}
	careless := "./slow_body.yaml --clients 'my clients.yaml:careless' --exec-outcome 3=refused --exec-outcome careless:4=cancelled"
	where := " --labserver http://10.0.0.1:7000 --token-file token --seed 7"
	want := []string{"bench demo " + careless + where, "bench run " + careless + " --require bounded" + where,
		"bench demo ./slow_body.yaml --client 'python3 client.py'" + where, "bench run ./slow_body.yaml --client 'python3 client.py' --require bounded" + where}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What only looks like a scenario's file is the value of a flag.
func TestGivenFiles(t *testing.T) {
	in := view.Input{Run: &rundir.Run{Arguments: []string{"run", "a.yaml", "--format", "json=x.json", "-f", "csv=y.json", "--token-file", "t.json",
		"--exec", "curl {url}.json", "--client=c.yaml", "--out", "out.yaml", "b.yml", "hang"}}}
	if diff := cmp.Diff([]string{"a.yaml", "b.yml"}, in.GivenFiles()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A client that shows nothing under any scenario is looked at where the mistake
// is seen best; a doubt is measured again, which is all there is to do.
func TestNextOfNothing(t *testing.T) {
	in := externalRun()
	in.Run = &rundir.Run{Require: verdictpkg.RequireKept}
	one := func(variant string, s timeline.Series, verdict verdictpkg.Verdict) verdictpkg.Finding {
		s.Scenario, s.Variant, s.Label = "slow_body", variant, variant
		return verdictpkg.Finding{Series: verdictpkg.Series{Series: s}, Check: verdictpkg.Check{Verdict: verdict}}
	}
	started := timeline.Series{N: 6, StartupMs: &timeline.Quantiles{}}
	curl := "--exec 'curl=curl -sS --max-time {budget_s} {url}'"
	for _, c := range []struct {
		f           verdictpkg.Finding
		next, again string
	}{
		{one("aiohttp", timeline.Series{Broken: 6}, verdictpkg.Fail), "bench client check 'aiohttp=python3 client.py'", "bench run slow_body --client 'aiohttp=python3 client.py' --require kept"},
		{one("curl", timeline.Series{}, verdictpkg.Inconclusive), "bench demo healthy " + curl, ""},
		{one("curl", started, verdictpkg.Inconclusive), "bench run slow_body " + curl + " --require kept", ""},
		{one("D", timeline.Series{N: 6}, verdictpkg.Inconclusive), "bench run slow_body --variant D --require kept", ""},
		{one("D", timeline.Series{N: 6}, verdictpkg.Fail), "bench demo slow_body --variant D", "bench run slow_body --variant D --require kept"},
	} {
		if next, again := in.Next(c.f), in.Again(c.f); next != c.next || again != c.again {
			t.Errorf("%q, %q, want %q, %q", next, again, c.next, c.again)
		}
	}
}

// The set-ups of many clients do not stand before the first figure.
func TestManySetUps(t *testing.T) {
	in, set := externalRun(), "timeout: total 400 ms"
	for _, n := range []int{3, 4} {
		for len(in.Summary.Clients) < n {
			in.Summary.Clients = append(in.Summary.Clients, in.Summary.Clients[0])
		}
		var b bytes.Buffer
		if err := Write("text", &b, in); err != nil {
			t.Fatal(err)
		}
		if told, led := strings.Contains(b.String(), set), strings.Contains(b.String(), "how they are set up: "); told != (n == 3) || led != (n == 4) {
			t.Errorf("%d clients: set-ups %t, where they are %t", n, told, led)
		}
	}
}

// The terminal's drawing says what a client does not report, and judges it net.
func TestDemoAbroad(t *testing.T) {
	in := externalRun()
	var subjects []chart.Subject
	for _, o := range in.Operations {
		if o.Phase == eventlog.Measured && o.Index > 24 && o.Index < 28 {
			subjects = append(subjects, chart.Subject{Operation: o})
		}
	}
	var b bytes.Buffer
	if err := term.Demo(&b, fixture.Setup("slow_body", "The headers are here. Is the call over?", nil), subjects, term.Options{}); err != nil {
		t.Fatal(err)
	}
	fixture.Golden(t, "demo_external.golden", b.Bytes())
}

// summary.json reads back as it was written, what is null and all.
func TestSummaryAbroadReadsBack(t *testing.T) {
	written, err := externalRun().Summary.JSON()
	if err != nil {
		t.Fatal(err)
	}
	s, err := verdictpkg.ParseSummary("summary.json", written)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.JSON(); err != nil || !bytes.Equal(again, written) {
		t.Errorf("%v\n%s", err, again)
	}
	spoiled := bytes.Replace(written, []byte(`"verdict": "not_applicable"`), []byte(`"verdict": "n/a"`), 1)
	if _, err := verdictpkg.ParseSummary("summary.json", spoiled); err == nil || !strings.Contains(err.Error(), `expected one of ["not_applicable" "unjudged" "pass" "inconclusive" "fail"]`) {
		t.Errorf("a verdict that is none of ours: %v", err)
	}
}
