package describe

import "github.com/deadlinelab/deadlinelab/internal/rundir"

// run describes run.json.
func run() (object, error) {
	return document[rundir.Run]("deadlinelab run",
		"run.json: the facts of one run. It is the only file of a run with facts that change from one run of the same plan to the next.")
}

const timestamp = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z$`

func init() {
	describes[rundir.Run](keys{
		"schema":         exactly(rundir.RunSchema, "format of the file"),
		"schema_version": shaped(version1, versionText),
		"status":         about("running until the end: a run that says so and is not, was killed"),
		"label":          about("name of the run"),
		"why":            about("why it was aborted"),
		"started":        shaped(timestamp, "RFC 3339, UTC"),
		"finished":       shaped(timestamp, "RFC 3339, UTC: started and wall_seconds, whatever was done to the clock meanwhile"),
		"wall_seconds":   atLeast(0, "how long it took, seconds"),
		"arguments":      about("the command line, as typed"),
		"seed":           about("seed of the order of starts and of jitter"),
		"repeats":        atLeast(1, "repeats of each cell"),
		"operations":     atLeast(1, "measured operations of each cell in one repeat"),
		"parallel":       atLeast(0, "operations in flight at once; 0 until the run has chosen"),
		"parallel_why":   about("how auto came to that many; absent when it was asked for"),
		"plan_digest":    shaped("^[0-9a-f]{64}$", "SHA-256 of plan.yaml, hexadecimal"),
		"require":        oneOf([]string{"kept", "bounded"}, "promise that was required of every series"),
		"cap_ms":         about("hard cap that --cap set for every operation, milliseconds; absent = each scenario's own"),
		"environment":    about("where the run happened"),
		"noise":          about("the noise floor of each process over the whole run: client, server"),
		"clock":          about("how the two logs were aligned"),
		"tallies":        about("what each log must hold to be whole"),
		"evidence":       about("what each file held that the run is judged by, when the run was closed; absent before, and before version 1.1"),
		"busy":           about("handlers that were still running at the end"),
	})
	describes[rundir.Evidence](keys{
		"file":   oneOf(rundir.EvidenceFiles, "the file, unpacked; plan.yaml holds the scenarios"),
		"lines":  atLeast(0, "its lines"),
		"sha256": shaped("^[0-9a-f]{64}$", "SHA-256 of its bytes, hexadecimal"),
	})
	describes[rundir.Environment](keys{
		"go":          about("version of Go that built bench"),
		"os":          about("operating system, as Go names it"),
		"arch":        about("processor architecture, as Go names it"),
		"cpus":        atLeast(1, "processors"),
		"gomaxprocs":  atLeast(1, "processors that bench uses at once"),
		"kernel":      about("release of the kernel"),
		"version":     about("version of bench, or the commit that it was built from"),
		"open_files":  atLeast(0, "limit of open files"),
		"load_before": about("load averages before the run: 1, 5 and 15 minutes"),
	})
	describes[rundir.Noise](keys{
		"n":         atLeast(0, "samples"),
		"median_ms": about("lateness of a deadline, milliseconds: the middle value"),
		"p95_ms":    about("95th percentile by nearest rank, milliseconds"),
		"p99_ms":    about("99th percentile by nearest rank, milliseconds"),
		"max_ms":    about("greatest, milliseconds"),
	})
	describes[rundir.Clock](keys{
		"name":      about("the clock of t_ns"),
		"shared":    about("both sides read one clock: offset and bound are 0"),
		"offset_ns": about("client = server + offset ± bound, nanoseconds"),
		"bound_ns":  atLeast(0, "how far the offset may be off, nanoseconds; narrower gaps between the sides are unknown"),
		"readings":  about("the comparisons that the offset comes from"),
	})
	describes[rundir.ClockReading](keys{
		"at_ns":     about("when: nanoseconds of the client's clock"),
		"offset_ns": about("client = server + offset ± bound, nanoseconds"),
		"bound_ns":  atLeast(0, "how far the offset may be off, nanoseconds"),
	})
	describes[rundir.Tally](keys{
		"experiment": about("the experiment, as in its events"),
		"side":       oneOf([]string{"client", "server"}, "which log"),
		"last_seq":   atLeast(0, "seq of the last event that was written"),
		"lost":       atLeast(0, "events that were dropped"),
		"requests":   atLeast(0, "exchanges that the server counted"),
	})
}
