package runner

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/predict"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

func execClient(name string) variants.Variant {
	return variants.Variant{Name: name, Label: name, External: &variants.External{Kind: eventlog.ExecClient, AtOnce: 8,
		Command: []string{"curl", "-sS", "--max-time", "{budget_s}", "{url}"}, Can: []string{adapter.CanCancel},
		Outcomes: map[int]eventlog.Outcome{28: eventlog.DeadlineExceeded, 7: eventlog.ConnectError}}}
}

func adapterClient(name string, lacking ...string) variants.Variant {
	f := adapterWithout(lacking...)
	f.Command, f.Program, f.Version, f.Language, f.Clock = []string{"python3", "client.py", "aiohttp"}, "aiohttp", "3.8.4", "Python 3.11", adapter.ClockMonotonic
	f.Settings = map[string]string{"timeout": "total 400 ms", "deadline": "asyncio.timeout(budget)"}
	return variants.Variant{Name: name, Label: name, External: f}
}

func planOf(t *testing.T, o Options, vs []variants.Variant, scenarios ...*scenario.Scenario) *Plan {
	t.Helper()
	p, err := NewPlan(scenarios, vs, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// counts are the items by client, scenario and phase.
func counts(p *Plan) map[string]int {
	n := map[string]int{}
	for _, it := range p.Items {
		n[it.Variant+" "+it.Scenario+" "+string(it.Phase)]++
	}
	return n
}

// Clients in processes of their own stand beside variants; a cell that is not
// applicable has no items; the start of an exec client is measured.
func TestPlanWithClients(t *testing.T) {
	d, _ := variants.Find("D")
	p := planOf(t, Options{Seed: 3, Repeats: 3, Operations: 10, Startup: load(t, "healthy")},
		[]variants.Variant{execClient("curl"), d, adapterClient("aiohttp")}, load(t, "slow_headers"), load(t, "semaphore_wait"))
	want := map[string]int{
		"operation_deadline slow_headers warmup": 1, "operation_deadline slow_headers measured": 30, "operation_deadline semaphore_wait warmup": 1, "operation_deadline semaphore_wait measured": 30,
		"aiohttp slow_headers warmup": 1, "aiohttp slow_headers measured": 30, "aiohttp semaphore_wait warmup": 1, "aiohttp semaphore_wait measured": 30,
		"curl slow_headers warmup": 1, "curl slow_headers measured": 30, "curl healthy startup": 12,
	}
	if diff := cmp.Diff(want, counts(p)); diff != "" {
		t.Error(diff)
	}
	var cells []string
	for _, c := range p.Cells {
		cells = append(cells, strings.TrimSpace(c.Scenario+" "+c.Label+" "+c.NotApplicable))
	}
	if diff := cmp.Diff([]string{"slow_headers D", "slow_headers curl", "slow_headers aiohttp",
		"semaphore_wait D", "semaphore_wait curl " + ofExec(noSlots), "semaphore_wait aiohttp"}, cells); diff != "" {
		t.Error(diff)
	}
	if n := len(p.Scenarios); n != 3 || p.Scenario("healthy") == nil || len(p.Clients()) != 2 || p.measured() != 150 || p.Total() != 167 {
		t.Errorf("%d scenarios, %d clients, %d measured, %d in all", n, len(p.Clients()), p.measured(), p.Total())
	}
}

// Twelve to thirty start-ups, a third of a series, shared out among the repeats.
func TestStartups(t *testing.T) {
	for _, c := range []struct{ repeats, operations, want int }{{3, 30, 30}, {1, 1, 12}, {3, 10, 12}, {1, 30, 12}, {1, 60, 20}, {100, 1, 30}, {10, 100, 30}} {
		p := planOf(t, Options{Repeats: c.repeats, Operations: c.operations, Startup: load(t, "healthy")}, []variants.Variant{execClient("curl")}, load(t, "healthy"))
		ids, perRepeat := map[string]bool{}, map[int]int{}
		for _, it := range p.Items {
			if it.Phase == eventlog.Startup {
				perRepeat[it.Repeat]++
				ids[it.Op] = true
			}
		}
		if len(ids) != c.want || len(p.Scenarios) != 1 {
			t.Errorf("%d × %d: %d start-ups, want %d, in %d scenarios", c.repeats, c.operations, len(ids), c.want, len(p.Scenarios))
		}
		for repeat, n := range perRepeat {
			if least := c.want / c.repeats; n < least || n > least+1 {
				t.Errorf("%d × %d: %d start-ups in repeat %d", c.repeats, c.operations, n, repeat)
			}
		}
		if !ids["healthy-r1-curl-s0001"] && c.repeats < 100 {
			t.Errorf("%v", ids)
		}
	}
}

// Start-ups lie among the measured operations, not before or behind them.
func TestStartupsAreSpread(t *testing.T) {
	p := planOf(t, Options{Seed: 1, Repeats: 1, Operations: 90, Startup: load(t, "healthy")}, []variants.Variant{execClient("curl")}, load(t, "slow_headers"))
	half := [2]int{}
	for i, it := range p.Items {
		if it.Phase == eventlog.Startup {
			half[2*i/len(p.Items)]++
		}
	}
	if half[0] < 5 || half[1] < 5 {
		t.Errorf("%v start-ups in the halves", half)
	}
}

// No start is measured of a client that is not, or that is started once.
func TestNoStartups(t *testing.T) {
	for _, vs := range [][]variants.Variant{{execClient("curl")}, {adapterClient("aiohttp", adapter.CanSlots)}} {
		p := planOf(t, Options{Repeats: 1, Operations: 3, Startup: load(t, "healthy")}, vs, load(t, "semaphore_wait"))
		if len(p.Items) != 0 || len(p.Scenarios) != 1 || p.Cells[0].NotApplicable == "" {
			t.Errorf("%+v", p)
		}
	}
	for _, vs := range [][]variants.Variant{nil, {adapterClient("aiohttp")}} {
		p := planOf(t, Options{Repeats: 1, Operations: 3, Startup: load(t, "healthy")}, vs, load(t, "slow_headers"))
		if p.inPhase(eventlog.Startup) != 0 || len(p.Scenarios) != 1 {
			t.Errorf("%v", counts(p))
		}
	}
}

func TestClientNames(t *testing.T) {
	relabelled := execClient("curl")
	relabelled.Label = "C2"
	for _, c := range []struct {
		vs   []variants.Variant
		want string
	}{
		{[]variants.Variant{execClient("curl"), adapterClient("curl")}, `client "curl": the name a second time`},
		{[]variants.Variant{execClient("operation_deadline")}, `client "operation_deadline": a variant of the bench has this name or letter`},
		{[]variants.Variant{execClient("d")}, `client "d": a variant of the bench has this name or letter`},
		{[]variants.Variant{execClient("My-Client")}, `client "My-Client": expected a name of lower-case letters`},
		{[]variants.Variant{execClient(strings.Repeat("x", 33))}, `expected a name of lower-case letters`},
		{[]variants.Variant{relabelled}, `client "curl": found the label "C2", expected its name`},
	} {
		if _, err := NewPlan([]*scenario.Scenario{load(t, "healthy")}, c.vs, Options{Repeats: 1, Operations: 1}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	long := *load(t, "healthy")
	long.Name = strings.Repeat("long", 16)
	if _, err := NewPlan([]*scenario.Scenario{&long}, []variants.Variant{execClient(strings.Repeat("x", 32))}, Options{Repeats: 1, Operations: 1}); err == nil || !strings.Contains(err.Error(), "expected at most 96") {
		t.Errorf("%v", err)
	}
}

// What a plan with clients writes reads back.
func TestPlanMarshalClients(t *testing.T) {
	p := planOf(t, Options{Seed: 5, Repeats: 2, Operations: 3, Startup: load(t, "healthy")},
		[]variants.Variant{execClient("curl"), adapterClient("aiohttp")}, load(t, "pool_wait"))
	text, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := scenario.ParsePlan("plan.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want := []scenario.Client{
		{Name: "curl", Kind: "exec", Command: []string{"curl", "-sS", "--max-time", "{budget_s}", "{url}"}, Capabilities: []string{"cancel"},
			Outcomes: []scenario.ExitOutcome{{Status: 7, Outcome: "connect_error"}, {Status: 28, Outcome: "deadline_exceeded"}}},
		{Name: "aiohttp", Kind: "adapter", Command: []string{"python3", "client.py", "aiohttp"}, Program: "aiohttp", Version: "3.8.4", Language: "Python 3.11",
			Settings:     []scenario.ClientSetting{{Name: "deadline", Value: "asyncio.timeout(budget)"}, {Name: "timeout", Value: "total 400 ms"}},
			Capabilities: adapter.Capabilities, Clock: "monotonic"},
	}
	if diff := cmp.Diff(want, doc.Clients); diff != "" {
		t.Error(diff)
	}
	if got := doc.Cells[0]; got.Variant != "curl" || got.NotApplicable != ofExec(noPool) || doc.Cells[1].NotApplicable != "" {
		t.Errorf("%+v", doc.Cells)
	}
}

// The arithmetic names what it cannot compute.
func TestArithmeticOfClients(t *testing.T) {
	d, _ := variants.Find("D")
	p := planOf(t, Options{Repeats: 1, Operations: 3, Startup: load(t, "healthy")}, []variants.Variant{execClient("curl"), adapterClient("aiohttp"), d}, load(t, "pool_wait"), load(t, "slow_headers"))
	var b strings.Builder
	if err := WriteArithmetic(&b, p); err != nil {
		t.Fatal(err)
	}
	var curl strings.Builder
	predict.Hang(&curl, "  curl                        ", "not applicable: "+ofExec(noPool), " ")
	for _, want := range []string{
		curl.String(),
		"  curl                        not computed: a client in a process of its own\n",
		"  aiohttp                     not computed: a client in a process of its own\n",
		"healthy: budget 1000 ms, up to 3 attempts\n  curl                        its start-up, measured 12 times\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
