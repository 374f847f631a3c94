package describe

import (
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// summary describes summary.json.
func summary() (object, error) {
	return document[verdict.Summary]("deadlinelab summary",
		"summary.json: the series of a run, what was expected of them and how it came out. Milliseconds with two decimals; a figure that no operation has is null.")
}

func init() {
	describes[verdict.Summary](keys{
		"schema":         exactly(timeline.SummarySchema, "format of the file"),
		"schema_version": shaped(version1, versionText),
		"status":         about("whether the run got to its end"),
		"verdict":        about("the worst verdict of its series; inconclusive without series"),
		"counts":         about("how many series came to which verdict"),
		"clients":        about("clients in processes of their own; absent without any"),
		"mismatches":     about("what in the run's directory is not what the run wrote: nothing in such a run passes; absent without any"),
		"series":         about("one per variant and scenario, in the order of the plan"),
	})
	describes[verdict.Counts](keys{
		"series":       atLeast(0, "all series"),
		"pass":         atLeast(0, "series whose expectation held"),
		"fail":         atLeast(0, "series of which a check failed"),
		"inconclusive": atLeast(0, "series that prove nothing: noise, too few operations, or a fault not proven"),
		"unjudged":     atLeast(0, "series without an expectation"),

		"not_applicable": atLeast(0, "series whose client cannot be measured in the scenario; absent without any"),
	})
	describes[verdict.Client](keys{
		"name":         about("its name: the variant of its series"),
		"kind":         clientKind,
		"program":      about("library or program under test; empty if it does not say"),
		"version":      about("its version; empty if it does not say"),
		"language":     about("language and runtime; empty if it does not say"),
		"settings":     about("how it is set up, as it says itself"),
		"capabilities": about("what it can be asked for"),
		"command":      about("program and arguments that started it"),
		"manifest":     about("file of --clients that names it, as it was given; absent when its command was given"),
	})
	describes[verdict.Setting](keys{"name": about("what is set"), "value": about("to what")})
	describes[verdict.Series](keys{
		"checks":  about("what was required, one by one"),
		"verdict": about("the worst verdict of its checks"),
	})
	describes[verdict.Check](keys{
		"requirement": about("a key of the scenario's expect, valid_operations, require, or client; leaks and client also without a key"),
		"expected":    about("what was expected, for people"),
		"actual":      about("what was found, for people"),
		"verdict":     about("whether it held"),
		"reason":      about("why it came out so; empty when there is nothing to explain"),
	})
	describes[timeline.Series](seriesKeys)
	describes[timeline.Commits](keys{
		"on_server":                  atLeast(0, "side effects on the server"),
		"told_success":               atLeast(0, "operations whose caller was told of a success"),
		"told_failure_but_committed": atLeast(0, "operations whose caller was told of a failure although an effect stays"),
		"duplicates":                 atLeast(0, "side effects beyond the first of an operation"),
	})
	describes[timeline.CallersMs](keys{
		"least": about("median over the groups of the shortest wait, milliseconds"),
		"most":  about("median over the groups of the longest wait, milliseconds"),
	})
	describes[timeline.Leaks](keys{
		"goroutines":         atLeast(0, "goroutines still running that a call of the client started"),
		"connections":        atLeast(0, "connections of the client still open, once the idle ones were closed"),
		"dials":              atLeast(0, "dials of the client still under way"),
		"slots":              atLeast(0, "concurrency slots of the client that nobody gave back"),
		"handlers":           atLeast(0, "handlers of the server still busy for the client"),
		"server_connections": atLeast(0, "connections that the server still holds for the client"),
		"probe":              about("how the operation ended that tried the last client afterwards; empty if it has no end in the log").with(object{"enum": append([]eventlog.Outcome{""}, eventlog.Outcomes...)}),
		"probe_ms":           atLeast(0, "how long it took, milliseconds; null if it has no end in the log"),
	})
	describes[timeline.Durations](keys{
		"median":         atLeast(0, "the middle value, or the mean of the two in the middle, milliseconds"),
		"ci95":           about("exact 95 % interval of the median from order statistics, milliseconds; null below 6 operations"),
		"p95":            atLeast(0, "95th percentile by nearest rank, milliseconds"),
		"min":            atLeast(0, "least, milliseconds"),
		"max":            atLeast(0, "greatest, milliseconds"),
		"repeat_medians": about("median of each repeat, milliseconds, in order"),
	})
	describes[timeline.Quantiles](keys{
		"median": about("the middle value, or the mean of the two in the middle, milliseconds"),
		"p95":    about("95th percentile by nearest rank, milliseconds"),
		"max":    about("greatest, milliseconds"),
	})
}

var seriesKeys = keys{
	"scenario":                about("name of the scenario"),
	"variant":                 about("name of the client variant"),
	"label":                   about("short name of the variant"),
	"client":                  clientKind,
	"not_applicable":          about("why the client cannot be measured in the scenario; such a series has no operations"),
	"net_of":                  about("exec: what overshoot, promise and net_duration_ms are net of, in words"),
	"startup_ms":              about("exec: what it takes to start its process, over the run's start-ups of the same command under healthy"),
	"startup_failed":          about("exec without startup_ms: how the first of its start-ups ended that was no success"),
	"net_duration_ms":         about("exec: durations less the start-up of each operation, the median of startup_ms or, if less, what can have been spent on it; the promise is judged by them"),
	"startup_cut":             atLeast(0, "exec: operations that left no time for the median of startup_ms: only what their process spent out of the server's sight is taken off"),
	"undecided":               atLeast(0, "exec: operations that are not late only if their start-up, or the end of their process, took as long as is taken off"),
	"planned":                 atLeast(0, "measured operations that were planned"),
	"n":                       atLeast(0, "operations that count: planned less invalid, disturbed and missing ones"),
	"invalid":                 atLeast(0, "operations whose fault is not proven to have fired on time, or that lack events"),
	"disturbed":               atLeast(0, "operations that a stall of the machine explains"),
	"budget_ms":               atLeast(0, "time that the caller grants, milliseconds"),
	"margin_ms":               atLeast(0, "an operation is late after deadline + margin, milliseconds: 5, or the p99 of the client's noise floor if that is larger; exec: and what the p95 of startup_ms is above its median"),
	"duration_ms":             about("from the caller's call until control was back"),
	"duration_by_outcome_ms":  about("median duration of each outcome, milliseconds; only where outcomes differ").with(object{"propertyNames": object{"enum": eventlog.Outcomes}}),
	"overshoot_ms":            about("end minus deadline; below 0: before the deadline"),
	"noise_floor_ms":          about("how late any deadline was in the client's process during this run"),
	"fault_late_ms":           about("how late the faults fired"),
	"outcomes":                tally(eventlog.Outcomes, "operations by outcome"),
	"promise":                 tally(timeline.Promises, "operations by what the caller got"),
	"in_budget":               atLeast(0, "operations that were a success and not late"),
	"late":                    atLeast(0, "operations that ended after deadline and margin"),
	"waste_ms":                about("slept up to the deadline although no further attempt could fit"),
	"attempts":                countTally("operations by number of attempts; null if the client does not report them"),
	"server_requests":         countTally("operations by number of requests that the server received"),
	"stop_ms":                 about("from the deadline having fired until control was back"),
	"cancel_to_return_ms":     about("from the external cancel until control was back"),
	"server_after_ms":         about("how long the last handler went on after control was back with the caller"),
	"headers_received":        atLeast(0, "operations that received a response head"),
	"body_complete":           atLeast(0, "operations whose last body was read to its end"),
	"attempts_after_deadline": atLeast(0, "attempts begun after the caller's deadline, all operations together"),
	"http_timer_ms":           atLeast(0, "median of what a timer around the HTTP calls would have shown, milliseconds"),
	"to_headers_ms":           atLeast(0, "median of what a timer that stops at the headers would have shown, milliseconds"),
	"where_ms":                about("where the representative operation's time went"),
	"representative":          about("id of the operation nearest the median of the commonest outcome; empty without operations"),
	"warnings":                about("what to know before quoting a figure of this series"),
	"callers_ms":              about("how long the callers of one client waited; only where they are several"),
	"amplification":           atLeast(0, "requests that the server received per operation; only of callers of one client"),
	"group_requests":          countTally("groups of callers by the requests that the server received of all of them; whole groups only"),
	"peak_arrivals":           atLeast(0, "most requests of one group of callers that arrived within 10 ms"),
	"peak_retry_arrivals":     atLeast(0, "the same without first attempts"),
	"commits":                 about("side effects on the server against what callers were told; only where the scenario has effects"),
	"commits_of_operation":    countTally("operations by number of their side effects on the server"),
	"error_types":             about("of a client in another process: operations that did not succeed, by the type of the error that its caller would catch").with(object{"additionalProperties": object{"type": "integer", "minimum": 1}}),
	"unreported":              unreportedKeys,
	"unreported_because":      about("why they are null"),
	"broken":                  atLeast(1, "operations in which the client broke; they are among the invalid ones; absent without any"),
	"broken_because":          about("how it broke first"),
	"leaks":                   about("what the clients still held 200 ms after the last operation, the most of any one client; absent if it was not counted"),
}
