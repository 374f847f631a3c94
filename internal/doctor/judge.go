package doctor

import (
	"fmt"
	"slices"
)

const (
	// quietMs: a noise floor whose p95 lies above leaves durations undecided,
	// and an injector whose p95 does makes operations invalid.
	quietMs = 5.0
	// comfortableFiles is what the usual parallel run wants to open.
	comfortableFiles = 1024
	leastCPUs        = 2 // one for each of the two processes
)

// slowClocks are clock sources that take microseconds to read.
var slowClocks = []string{"hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit"}

// judge decides whether a run here would be conclusive, and says what to do.
func (r *Report) judge() {
	r.CanJudge, r.Advice = true, []string{}
	r.judgeTimes()
	r.adviseOnCPUs()
	r.adviseOnSystem()
}

// judgeTimes holds against the machine only what a run would be held against.
func (r *Report) judgeTimes() {
	if d := r.Deadline; d != nil && d.P95 > quietMs {
		r.CanJudge = false
		r.advise("floor p95 is %.1f ms, more than %g: durations will be inconclusive; close other work, use a quieter machine, or run with --on-inconclusive warn", d.P95, quietMs)
	}
	if s := r.Spread; s != nil && s.P95 > quietMs {
		r.CanJudge = false
		r.advise("injection p95 is %.1f ms late, more than %g: many operations will be invalid; close other work", s.P95, quietMs)
	}
	if r.Nudged == nil {
		r.advise("no nudge on this system: faults fire up to a millisecond late; Linux has it")
	}
}

func (r *Report) adviseOnCPUs() {
	m := r.Machine
	if m.CPUs < leastCPUs || m.CPUQuota > 0 && m.CPUQuota < leastCPUs {
		r.advise("%s: client and labserver take turns; two CPUs let them run side by side", m.cpus())
	}
	if load := m.load1(); m.CPUs > 0 && load > float64(m.CPUs) {
		r.advise("the load is %.1f on %d CPUs: something else is running, and every figure here includes it", load, m.CPUs)
	}
	if m.MaxProcs > 0 && m.MaxProcs < min(m.CPUs, leastCPUs) {
		r.advise("GOMAXPROCS is %d of %d CPUs: unset it", m.MaxProcs, m.CPUs)
	}
}

func (r *Report) adviseOnSystem() {
	m := r.Machine
	if m.OpenFiles > 0 && m.OpenFiles < comfortableFiles {
		r.advise("only %d files may be open: that limits --parallel; `ulimit -n %d` before the run lifts it", m.OpenFiles, comfortableFiles)
	}
	if slices.Contains(slowClocks, m.ClockSource) {
		r.advise("clock source %s is slow to read, and each event reads it; tsc is the usual one", m.ClockSource)
	}
}

func (r *Report) advise(format string, args ...any) {
	r.Advice = append(r.Advice, fmt.Sprintf(format, args...))
}

// cpus is how many there are, and how much of them is allowed.
func (m *Machine) cpus() string {
	if m.CPUQuota > 0 {
		return fmt.Sprintf("%d CPUs of which %.2g may be used", m.CPUs, m.CPUQuota)
	}
	if m.CPUs == 1 {
		return "1 CPU"
	}
	return fmt.Sprintf("%d CPUs", m.CPUs)
}
