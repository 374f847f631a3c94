package doctor

import (
	"slices"
	"strings"
	"testing"
)

func upTo(n int) (ms []float64) {
	for i := n; i > 0; i-- {
		ms = append(ms, float64(i))
	}
	return ms
}

func TestSumUp(t *testing.T) {
	if sumUp(nil) != nil {
		t.Error("something of nothing")
	}
	for _, c := range []struct {
		n                int
		median, p95, max float64
	}{{1, 1, 1, 1}, {2, 1.5, 2, 2}, {3, 2, 3, 3}, {20, 10.5, 19, 20}, {299, 150, 285, 299}} {
		l := sumUp(upTo(c.n))
		if l.N != c.n || l.Min != 1 || l.Median != c.median || l.P95 != c.p95 || l.Max != c.max || l.P99 != nil {
			t.Errorf("%d: %+v", c.n, l)
		}
	}
	if l := sumUp(upTo(300)); l.P99 == nil || *l.P99 != 297 {
		t.Errorf("%+v", l)
	}
}

func TestQuota(t *testing.T) {
	for text, want := range map[string]float64{"": 0, "max 100000\n": 0, "150000 100000\n": 1.5, "50000": 0, "1 0": 0, "x y": 0} {
		if got := quota(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// quiet is a report of a machine without fault.
func quiet() Report {
	return Report{Machine: Machine{CPUs: 2, MaxProcs: 2, Load: "0.10 0.20 0.30", OpenFiles: 20_000, ClockSource: "tsc"},
		Deadline: sumUp(upTo(5)), Nudged: sumUp(upTo(1)), Spread: sumUp(upTo(5))}
}

func TestJudge(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Report)
		judges bool
		advice string
	}{
		"quiet":          {func(*Report) {}, true, ""},
		"a high floor":   {func(r *Report) { r.Deadline = sumUp([]float64{7}) }, false, "floor p95 is 7.0 ms"},
		"a late server":  {func(r *Report) { r.Spread = sumUp([]float64{5.1}) }, false, "injection p95 is 5.1 ms late"},
		"no nudge":       {func(r *Report) { r.Nudged = nil }, true, "no nudge"},
		"one CPU":        {func(r *Report) { r.Machine.CPUs, r.Machine.MaxProcs = 1, 1 }, true, "1 CPU: client and labserver take turns"},
		"half a CPU":     {func(r *Report) { r.Machine.CPUQuota = 0.5 }, true, "2 CPUs of which 0.5 may be used"},
		"load":           {func(r *Report) { r.Machine.Load = "2.10 1 1" }, true, "the load is 2.1 on 2 CPUs"},
		"one thread":     {func(r *Report) { r.Machine.MaxProcs = 1 }, true, "GOMAXPROCS is 1 of 2"},
		"few open files": {func(r *Report) { r.Machine.OpenFiles = 256 }, true, "only 256 files"},
		"a slow clock":   {func(r *Report) { r.Machine.ClockSource = "hpet" }, true, "clock source hpet"},
		"nothing known":  {func(r *Report) { r.Machine = Machine{CPUs: 2} }, true, ""},
	} {
		r := quiet()
		c.change(&r)
		r.judge()
		if r.CanJudge != c.judges || len(r.Advice) != min(1, len(c.advice)) || !strings.HasPrefix(strings.Join(r.Advice, ""), c.advice) {
			t.Errorf("%s: %t %q", name, r.CanJudge, r.Advice)
		}
	}
}

func TestTable(t *testing.T) {
	r := quiet()
	r.Machine.System = "linux/amd64 6.1"
	r.Deadline = sumUp(upTo(300))
	r.judge()
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	for _, want := range []string{
		"clock source  tsc",
		"deadline (noise floor)               300  150.500  285.000  297.000  300.000",
		"timer, nudged                          1    1.000    1.000        -    1.000",
		"due → written, 1 exchange              0        -        -        -        -",
		"This machine cannot judge a run as it is now.",
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("no line %q in\n%s", want, b.String())
		}
	}
}
