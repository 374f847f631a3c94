package describe

import (
	"reflect"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// operations describes one line of operations.jsonl: the header, then one
// merged record per operation.
func operations() (object, error) {
	ts := &types{defs: object{}}
	operation := ts.reference(reflect.TypeFor[timeline.Operation]())
	ts.defs["header"] = object{"type": "object", "required": []string{"schema", "schema_version"}, "additionalProperties": true, "properties": object{
		"schema":         exactly(timeline.OperationsSchema, "format of the file"),
		"schema_version": shaped(version1, versionText).with(object{"type": "string"})}}
	return object{"title": "deadlinelab operation", "type": "object", "$defs": ts.defs,
		"description": "One line of operations.jsonl: the header, which has the key schema, then the merged record of one operation per line, in start order. Every offset is milliseconds from the operation's t0 on the client's clock, three decimals.",
		"if":          object{"required": []string{"schema"}}, "then": object{"$ref": "#/$defs/header"}, "else": operation}, ts.err()
}

func init() {
	describes[timeline.Operation](keys{
		"op":                      shaped(operationID, "id of the operation, opaque"),
		"scenario":                about("name of the scenario"),
		"variant":                 about("name of the client variant"),
		"label":                   about("short name of the variant"),
		"client":                  clientKind,
		"repeat":                  atLeast(0, "repeat of the run, from 1; 0 if its start is not in the log"),
		"index":                   atLeast(0, "place inside the repeat, from 1; 0 for a warm-up"),
		"phase":                   about("part that the operation plays; only measured ones are in series"),
		"for":                     shaped(operationID, "helper and probe: the operation that they serve"),
		"group":                   shaped(operationID, "several callers of one client: what their operations have in common"),
		"caller":                  atLeast(1, "which caller of the group, from 1"),
		"commits":                 atLeast(1, "side effects that its requests left on the server; absent without any"),
		"t0_ns":                   about("the caller's call, before the first queue: nanoseconds of the client's clock"),
		"budget_ms":               atLeast(0, "time that the caller grants, milliseconds"),
		"finished":                about("an operation_finished is in the log"),
		"duration_ms":             atLeast(0, "from t0 until control was back with the caller, milliseconds"),
		"startup_ms":              about("exec: what the start of its process takes, milliseconds: in phase startup its own, duration less what the server had to do with it; else the median of these in the run or, if less, what can have been spent on it"),
		"startup_cut":             about("exec: startup_ms is not the median, but all that its process spent out of the server's sight, which is less"),
		"net_ms":                  about("exec: duration_ms less startup_ms, milliseconds, 0 or more; the promise is judged by it"),
		"overshoot_ms":            about("end minus deadline, milliseconds; below 0: it ended before its deadline; exec: less startup_ms"),
		"outcome":                 about("how it ended"),
		"last":                    about("beside retries_exhausted: how the last attempt failed"),
		"error_type":              about("Go type of the error, or the class that another client named"),
		"error":                   about("text of the error, for people"),
		"promise":                 about("what the caller got"),
		"late":                    about("it ended after the deadline and the margin"),
		"in_budget":               about("success and not late"),
		"waste_ms":                atLeast(0, "slept up to the deadline although no further attempt could fit, milliseconds; null: not reported"),
		"admission":               about("waiting for the first slot"),
		"slots":                   about("holding a slot"),
		"attempts":                about("calls into the HTTP layer; null: not reported"),
		"backoffs":                about("pauses between attempts"),
		"stray":                   about("exchanges that belong to no attempt: none in a valid operation"),
		"exchanges":               about("requests that the server received from a client that does not report its attempts"),
		"server_requests":         atLeast(0, "requests that the server received"),
		"attempts_after_deadline": atLeast(0, "attempts begun after the caller's deadline; null: not reported"),
		"headers_received":        about("an attempt received a response head; null: not reported"),
		"body_complete":           about("the last attempt that received a head read its body to the end; null: not reported"),
		"stop":                    about("how it was stopped, if its deadline, its caller or the hard cap stopped it"),
		"http_timer_ms":           atLeast(0, "what a timer around the HTTP calls would have shown, milliseconds; null without an attempt, or not reported"),
		"to_headers_ms":           atLeast(0, "what a timer that stops at the headers would have shown, milliseconds; null without headers, or not reported"),
		"where_ms":                about("the duration by innermost phase; of a client that does not report its attempts by the server's account"),
		"unreported":              unreportedKeys,
		"unreported_because":      about("why they are null"),
		"client_broke":            about("how the client in another process broke: the operation proves nothing"),
		"fault_late_ms":           atLeast(0, "largest lateness of the faults it met, milliseconds; null without a fault"),
		"server_bound_ms":         atLeast(0, "how far the server's times in it may be off, milliseconds; narrower gaps between the sides are unknown; absent with one clock"),
		"stall_ms":                atLeast(0, "largest stall of the machine in its interval, as far as it is known, milliseconds"),
		"valid":                   about("the fault is proven to have fired on time and no event is missing"),
		"disturbed":               about("a stall of the machine explains its figures"),
		"reasons":                 about("why it is invalid or disturbed, for people"),
	})
	describes[timeline.Span](spanKeys)
	describes[timeline.Attempt](attemptKeys)
	describes[timeline.Backoff](keys{
		"after_attempt": atLeast(0, "the attempt that it follows"),
		"planned_ms":    atLeast(0, "planned length, milliseconds"),
		"finished":      about("slept to its planned end"),
	})
	describes[timeline.Exchange](exchangeKeys)
	describes[timeline.Stop](keys{
		"by":             oneOf([]string{timeline.ByDeadline, timeline.ByCancel, timeline.ByCap}, "what stopped it"),
		"requested_ms":   about("the deadline fired, or the cancel was requested: offset in milliseconds"),
		"observed_ms":    about("the client's code saw it: offset in milliseconds; null if unknown"),
		"returned_ms":    about("control was back with the caller: offset in milliseconds"),
		"server_done_ms": about("its last handler on the server finished: offset in milliseconds; null if unknown, or narrower than the clocks allow to tell"),
	})
	describes[timeline.Where](whereKeys)
}

// clientKind and unreportedKeys are of operations as of series.
var (
	clientKind     = oneOf([]string{eventlog.ExecClient, eventlog.AdapterClient}, "a client in a process of its own: exec is one process per operation, adapter a long-running one; absent for a variant of the bench")
	unreportedKeys = about("keys that are null because the client does not tell")
)

var spanKeys = keys{
	"from_ms": about("start: offset in milliseconds"),
	"to_ms":   about("end: offset in milliseconds"),
	"open":    about("its end is not in the log: it ends with what contains it"),
}

var attemptKeys = keys{
	"n":                   atLeast(1, "number of the attempt, from 1"),
	"end":                 oneOf([]eventlog.Kind{"", eventlog.AttemptFinished, eventlog.AttemptTimedOut, eventlog.AttemptCancelled, eventlog.AttemptFailed}, "event that ended it; empty if none is in the log"),
	"limit":               about("the limit that ended it: total_ms, connect_ms, sock_connect_ms, sock_read_ms, client_timeout or header_timeout"),
	"status":              between(0, 999, "HTTP status"),
	"error_type":          about("Go type of its error"),
	"conn":                about("its connection: the client's address and port"),
	"reused":              about("the connection came from the pool"),
	"connection_wait":     about("waiting for a connection, dialling included"),
	"dns":                 about("name lookup"),
	"connect":             about("dial"),
	"tls":                 about("TLS handshake"),
	"request_written_ms":  about("the whole request was written: offset in milliseconds"),
	"headers_received_ms": about("the response head was read: offset in milliseconds"),
	"body_finished_ms":    about("the body was read to its end: offset in milliseconds"),
	"body_bytes":          atLeast(0, "bytes of the body"),
	"exchanges":           about("requests that the server received for it; more than one: redirects, or the transport replayed it"),
}

var exchangeKeys = keys{
	"n":                   atLeast(1, "number of the exchange, from 1 per operation"),
	"conn":                about("its connection: the client's address and port"),
	"start_ms":            about("the request's head arrived: offset in milliseconds"),
	"fault_due_ms":        about("its fault was due: offset in milliseconds"),
	"fault_late_ms":       about("lateness of its fault, milliseconds"),
	"status":              between(0, 999, "HTTP status"),
	"headers_prepared_ms": about("the response head was about to be written: offset in milliseconds"),
	"headers_written_ms":  about("the write of the head returned: offset in milliseconds"),
	"body_finished_ms":    about("the body was written to its end: offset in milliseconds"),
	"bytes_written":       atLeast(0, "body bytes written"),
	"client_gone_ms":      about("the server saw that the client had left: offset in milliseconds"),
	"client_gone_how":     about("how it left: fin, rst or reset_stream"),
	"handler_finished_ms": about("the handler returned: offset in milliseconds"),
}

var whereKeys = keys{
	"admission":       atLeast(0, "waiting for a slot, milliseconds"),
	"connection_wait": atLeast(0, "waiting for a connection, less what follows, milliseconds"),
	"dns":             atLeast(0, "name lookup, milliseconds"),
	"connect":         atLeast(0, "dial, milliseconds"),
	"tls":             atLeast(0, "TLS handshake, milliseconds"),
	"server":          atLeast(0, "from the connection in hand to the headers, milliseconds"),
	"body":            atLeast(0, "reading the body, milliseconds"),
	"backoff":         atLeast(0, "pauses, milliseconds"),
	"cleanup":         atLeast(0, "everything else: the client's own code, milliseconds"),
	"unreported":      atLeast(0, "everything else of a client that does not report its attempts: the start of its process, its own code, the network, milliseconds"),
}
