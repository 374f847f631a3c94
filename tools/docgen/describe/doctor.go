package describe

import "github.com/deadlinelab/deadlinelab/internal/doctor"

// examination describes what `bench doctor --json` writes.
func examination() (object, error) {
	return document[doctor.Report]("deadlinelab examination of a machine",
		"`bench doctor --json`: what this machine can show. Milliseconds with three decimals.")
}

func init() {
	describes[doctor.Report](keys{
		"schema":         exactly(doctor.Schema, "format of the document"),
		"schema_version": shaped(version1, versionText),
		"seconds":        atLeast(0, "how long it measured, seconds"),
		"machine":        about("what was measured"),
		"deadline":       about("how late deadlines are: the noise floor that overshoots are compared with; null if nothing was measured"),
		"timer":          about("how late timers fire, as package time makes them; null if nothing was measured"),
		"nudged":         about("the same with the timer nudge of labserver; null where there is none"),
		"single":         about("how late a fault is injected, from due to written, one exchange at a time; null if nothing was measured"),
		"spread":         about("the same with 50 exchanges in flight, each due at another instant; null if nothing was measured"),
		"burst":          about("the same with 50 exchanges due at one instant; null if nothing was measured"),
		"client_seen":    about("by how much the answers of spread came later to the client than scripted; null if nothing was measured"),
		"can_judge":      about("whether a run here could be judged; if not, the exit code is 12"),
		"advice":         about("what to do about what was found, for people"),
	})
	describes[doctor.Machine](keys{
		"system":       about("operating system and architecture, as Go names them, and the release of the kernel"),
		"cpus":         atLeast(1, "processors"),
		"gomaxprocs":   atLeast(1, "processors that bench uses at once"),
		"cpu_quota":    atLeast(0, "processors that the control group allows; 0: all"),
		"load":         about("load averages before the measurement: 1, 5 and 15 minutes"),
		"open_files":   atLeast(0, "limit of open files"),
		"clock_source": about("clock source of the kernel; empty if it does not say"),
	})
	describes[doctor.Lateness](keys{
		"n":         atLeast(1, "samples"),
		"min_ms":    about("least, milliseconds"),
		"median_ms": about("the middle value, or the mean of the two in the middle, milliseconds"),
		"p95_ms":    about("95th percentile by nearest rank, milliseconds"),
		"p99_ms":    about("99th percentile by nearest rank, milliseconds; null below 300 samples"),
		"max_ms":    about("greatest, milliseconds"),
	})
}
