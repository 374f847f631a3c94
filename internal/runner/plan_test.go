package runner

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/predict"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

func load(t testing.TB, name string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newPlan(t testing.TB, o Options, labels string, scenarios ...*scenario.Scenario) *Plan {
	t.Helper()
	var vs []variants.Variant
	for label := range strings.SplitSeq(labels, "") {
		v, ok := variants.Find(label)
		if !ok {
			t.Fatalf("no variant %s", label)
		}
		vs = append(vs, v)
	}
	p, err := NewPlan(scenarios, vs, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// All published settings load: no tie, no unknown name.
func TestPlanOfAllShipped(t *testing.T) {
	for _, vs := range [][]variants.Variant{nil, variants.Everywhere()} {
		if _, err := NewPlan(scenario.All(), vs, Options{Repeats: 3, Operations: 30, Groups: 3, AndListed: true}); err != nil {
			t.Error(err)
		}
	}
}

func TestPlanItems(t *testing.T) {
	p := newPlan(t, Options{Seed: 7, Repeats: 3, Operations: 30}, "CD", load(t, "healthy"), load(t, "slow_headers"))
	ids, count := map[string]bool{}, map[eventlog.Phase]int{}
	for _, it := range p.Items {
		if ids[it.Op] || ids[it.Helper] || ids[it.Probe] {
			t.Fatalf("%s: an id twice", it.Op)
		}
		ids[it.Op], ids[it.Helper], ids[it.Probe] = true, true, true
		count[it.Phase]++
	}
	if count[eventlog.Warmup] != 4 || count[eventlog.Measured] != 4*90 {
		t.Errorf("%v, want 4 warm-ups and 360 measured", count)
	}
	if !ids["slow_headers-r1-D-m0016"] || !ids["healthy-r1-C-w0000"] || !ids["healthy-r3-C-p0030"] {
		t.Error("ids are not of the documented form")
	}
	legal := regexp.MustCompile(`^[A-Za-z0-9_.~-]{1,96}$`)
	for id := range ids {
		if !legal.MatchString(id) {
			t.Errorf("id %q", id)
		}
	}
}

// Repeats follow each other; inside one the cells are interleaved, and the
// order follows from the seed.
func TestPlanOrder(t *testing.T) {
	plan := func(seed int64) []Item {
		return newPlan(t, Options{Seed: seed, Repeats: 2, Operations: 20}, "BD", load(t, "healthy"), load(t, "hang")).Items
	}
	items := plan(1)
	if !slices.IsSortedFunc(items, func(a, b Item) int { return a.Repeat - b.Repeat }) {
		t.Error("the repeats are mixed")
	}
	if !slices.Equal(items, plan(1)) {
		t.Error("one seed, two orders")
	}
	if slices.Equal(items, plan(2)) {
		t.Error("two seeds, one order")
	}
	changes := 0
	for i := range items[1:] {
		if items[i].Scenario != items[i+1].Scenario || items[i].Variant != items[i+1].Variant {
			changes++
		}
	}
	if changes < len(items)/2 {
		t.Errorf("the cell changes %d times in %d starts: not interleaved", changes, len(items))
	}
}

// Operations that take long do not start in the last part of a repeat.
func TestPlanHasNoTail(t *testing.T) {
	p := newPlan(t, Options{Seed: 3, Repeats: 1, Operations: 50, NoWarmup: true}, "ADG", load(t, "hang"))
	last := 0
	for i, it := range p.Items {
		if it.Label == "G" {
			last = i
		}
	}
	if last >= len(p.Items)*3/4 {
		t.Errorf("an operation that reaches the cap starts as number %d of %d", last+1, len(p.Items))
	}
}

// edited is a shipped scenario with its complete text changed: what was there,
// what is, and so on.
func edited(t testing.TB, name string, changes ...string) *scenario.Scenario {
	t.Helper()
	complete, err := scenario.Marshal(load(t, name))
	if err != nil {
		t.Fatal(err)
	}
	text := string(complete)
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			t.Fatalf("%s does not contain %q:\n%s", name, changes[i], text)
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	s, err := scenario.Parse("edited.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The least budget is one: the operation ends at its deadline, wherever it is.
func TestPlanOfTheLeastBudget(t *testing.T) {
	for _, name := range []string{"healthy", "semaphore_wait", "slow_headers"} {
		s := *load(t, name)
		s.Operation.BudgetMs = 1
		s.Variants, s.Expect = []string{"operation_deadline", "slot_per_attempt"}, nil
		p, err := NewPlan([]*scenario.Scenario{&s}, nil, Options{Repeats: 1, Operations: 1})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, c := range p.Cells {
			if c.Computed.Outcome != eventlog.DeadlineExceeded || c.Computed.Duration != time.Millisecond {
				t.Errorf("%s: %s: %s after %s", name, c.Variant, c.Computed.Outcome, c.Computed.Duration)
			}
		}
	}
}

// What a variant does in a scenario may be expected of it.
func TestWhatIsComputedMayBeExpected(t *testing.T) {
	none := 1.
	for _, shipped := range scenario.All() {
		s := *shipped
		s.Variants, s.Expect = nil, map[string]scenario.Expect{}
		for _, v := range variants.All() {
			c := predict.Compute(shipped, v)
			if len(c.Ties) > 0 {
				continue
			}
			s.Variants = append(s.Variants, v.Name)
			s.Expect[v.Name] = scenario.Expect{Outcome: &c.Outcome, DurationMs: &scenario.Duration{Ms: clock.InMs(c.Duration)},
				Attempts: &scenario.Count{N: c.Attempts}, ServerRequests: &scenario.Count{N: c.Requests}, WasteMs: &scenario.Duration{MaxMs: &none}}
		}
		text, err := scenario.Marshal(&s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := scenario.Parse(s.Name+".yaml", text)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		for _, err := range checkExpectations(again) {
			t.Error(err)
		}
	}
}

func TestPlanRefuses(t *testing.T) {
	healthy := load(t, "healthy")
	edited := func(name string, changes ...string) *scenario.Scenario { return edited(t, name, changes...) }
	for _, c := range []struct {
		name      string
		scenarios []*scenario.Scenario
		o         Options
		want      string
	}{
		{"no repeats", []*scenario.Scenario{healthy}, Options{Operations: 1}, `--repeats 0: expected at least 1`},
		{"no operations", []*scenario.Scenario{healthy}, Options{Repeats: 1}, `--operations 0: expected at least 1`},
		{"no scenario", nil, Options{Repeats: 1, Operations: 1}, `no scenario to run`},
		{"twice", []*scenario.Scenario{healthy, healthy}, Options{Repeats: 1, Operations: 1}, `"healthy" is in the plan already`},
		{"tie", []*scenario.Scenario{edited("slow_headers", "response_delay_ms: 800", "response_delay_ms: 401")}, Options{Repeats: 1, Operations: 1},
			`attempt.total_ms: in variant single_attempt the response head arrives at 401 ms, within 2 ms of total_ms at 400 ms`},
		{"slot", []*scenario.Scenario{edited("semaphore_wait", "hold_ms: 1100", "hold_ms: 999")}, Options{Repeats: 1, Operations: 1},
			`operation.budget_ms: in variant operation_deadline the slot becomes free at 999 ms, within 2 ms of deadline at 1000 ms`},
		{"dial", []*scenario.Scenario{edited("healthy", "connect_ms: 300", "connect_ms: 1")}, Options{Repeats: 1, Operations: 1},
			`attempt.connect_ms: in variant single_attempt the connection becomes free at 0 ms, within 2 ms of connect_ms at 1 ms`},
		{"answer near a limit", []*scenario.Scenario{edited("healthy", "response_delay_ms: 20", "response_delay_ms: 399")}, Options{Repeats: 1, Operations: 1},
			`attempt.total_ms: in variant single_attempt the response head arrives at 399 ms, within 2 ms of total_ms at 400 ms`},
		{"attempts of a single one", []*scenario.Scenario{edited("healthy", "single_attempt: {outcome: success, duration_ms: 20, attempts: 1", "single_attempt: {outcome: success, duration_ms: 20, attempts: 2")},
			Options{Repeats: 1, Operations: 1}, `expect.single_attempt.attempts: found 2, expected at most 1, all that single_attempt makes under operation.max_attempts; change one of the two`},
		{"attempts of several calls", []*scenario.Scenario{edited("chain", "chain_own_budgets: {outcome: success, duration_ms: 2700, attempts: 3", "chain_own_budgets: {outcome: success, duration_ms: 2700, attempts: 10")},
			Options{Repeats: 1, Operations: 1}, `expect.chain_own_budgets.attempts: found 10, expected at most 9`},
		{"waste without a deadline", []*scenario.Scenario{edited("healthy", "operation_deadline: {outcome: success", "operation_deadline: {waste_ms: {min_ms: 1}, outcome: success")},
			Options{Repeats: 1, Operations: 1}, `expect.operation_deadline.waste_ms: found at least 1 ms, expected 0, because only a deadline that fires in a backoff wastes time and the outcome is success; change one of the two`},
		{"too many", []*scenario.Scenario{healthy}, Options{Repeats: 1000, Operations: 100000},
			`--repeats 1000 × --operations 100000 × 7 series: found 700000000 operations, expected at most 200000 in one run`},
		{"silence", []*scenario.Scenario{edited("slow_body", "sock_read_ms: 200", "sock_read_ms: 75")}, Options{Repeats: 1, Operations: 1},
			`attempt.sock_read_ms: in variant single_attempt a silence ends at 75 ms`},
	} {
		_, err := NewPlan(c.scenarios, nil, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
		if err != nil && c.name == "tie" && !regexp.MustCompile(`^edited\.yaml:\d+:\d+: `).MatchString(err.Error()) {
			t.Errorf("%s: no place: %v", c.name, err)
		}
	}
}

// A variant that is not registered is named with its place and the nearest one.
func TestPlanUnknownVariant(t *testing.T) {
	s := *load(t, "healthy")
	s.Variants = []string{"operation_deadlin"}
	_, err := NewPlan([]*scenario.Scenario{&s}, nil, Options{Repeats: 1, Operations: 1})
	if err == nil || !strings.Contains(err.Error(), `did you mean "operation_deadline"?`) || !strings.Contains(err.Error(), "healthy.yaml:") {
		t.Errorf("%v", err)
	}
}

// What a plan writes reads back.
func TestPlanMarshal(t *testing.T) {
	text, err := newPlan(t, Options{Seed: 5, Repeats: 2, Operations: 3}, "CD", load(t, "semaphore_wait")).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := scenario.ParsePlan("plan.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Cells) != 2 || doc.Seed != 5 || doc.Repeats != 2 || doc.Operations != 3 || doc.Scenarios[0].Name != "semaphore_wait" {
		t.Errorf("%+v", doc)
	}
}
