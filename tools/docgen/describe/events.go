package describe

import (
	"fmt"
	"reflect"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Fields of one line of a log. An event, its start and its header are written
// flat, so that they share one table.
var eventKeys = keys{
	"seq":        atLeast(1, "place in the log: from 1 without gaps, per experiment and side; taken in one step with t_ns"),
	"t_ns":       about("when: nanoseconds of the clock that log_opened names"),
	"at_ns":      about("when it happened by the account of a client in another process, nanoseconds of the log's clock; t_ns is when the bench heard of it"),
	"op":         shaped(operationID, "the operation, an opaque id; absent where an event belongs to none"),
	"event":      object{"description": "the kind of event; a reader ignores those it does not know", "minLength": 1},
	"experiment": about("server events: the experiment whose seq this is. log_opened: the experiment of the log"),

	"attempt":  atLeast(1, "attempt of the operation, from 1; absent on the server unless the client named it in Deadlinelab-Attempt"),
	"exchange": atLeast(0, "request that the server received, from 1 per operation; 0 where no request has been read"),
	"conn":     about("the connection: the client's address and port, the same text on both sides"),

	"remaining_ms": about("what is left of the caller's budget, milliseconds, three decimals; below 0 after the deadline"),
	"planned_ms":   atLeast(0, "planned length of the backoff, milliseconds, three decimals"),
	"due_ns":       about("when the fault, gate, timer or noise deadline was due, nanoseconds of the log's clock"),
	"late_ms":      about("how late after due_ns it acted; of operation_started, how long after an adapter was asked for it; of operation_finished, how long its process was ready to run and waited for a processor; milliseconds, three decimals"),
	"status":       between(0, 999, "HTTP status; 599: nobody registered the operation"),
	"bytes":        atLeast(0, "body bytes: of this write, or of the whole body"),
	"total":        atLeast(0, "body bytes written so far"),
	"count":        atLeast(0, "how many events were lost"),
	"reused":       about("the connection came from the pool"),

	"limit":      oneOf([]string{"total_ms", "connect_ms", "sock_connect_ms", "sock_read_ms", "client_timeout", "header_timeout"}, "which limit of the attempt acted"),
	"fault":      about("type of the fault that was armed or fired, as in a scenario's type"),
	"gate":       about("the gate at which the exchange was held"),
	"key":        about("Idempotency-Key of the request that the side effect belongs to; absent if it had none"),
	"how":        about("how the connection ended: fin, rst or reset_stream"),
	"by":         oneOf([]string{"client", "server"}, "who closed the connection"),
	"outcome":    oneOf(eventlog.Outcomes, "how the operation ended"),
	"last":       oneOf(eventlog.Outcomes, "beside retries_exhausted: how the last attempt failed"),
	"error_type": about("Go type of the error, or the class that another client named"),
	"error":      about("text of the error, for people: nothing matches it"),
	"cause":      about("what ended or cancelled it: operation_deadline, caller_deadline, external_cancel or hard_cap; client_broke: the client in another process did what no client may"),

	"scenario":    shaped("^[a-z0-9_]{1,48}$", "name of the scenario"),
	"variant":     about("name of the client variant"),
	"label":       about("short name of the variant"),
	"repeat":      atLeast(1, "repeat of the run, from 1"),
	"index":       atLeast(0, "place inside the repeat, from 1; 0 for a warm-up"),
	"phase":       oneOf([]eventlog.Phase{eventlog.Warmup, eventlog.Measured, eventlog.Helper, eventlog.Probe, eventlog.Startup}, "part that the operation plays; only measured ones are in series"),
	"budget_ms":   atLeast(0, "time that the caller grants, milliseconds"),
	"deadline_ns": about("t0 + budget, nanoseconds of the log's clock"),
	"for":         shaped(operationID, "helper and probe: the operation that they serve"),
	"t0_ns":       about("the caller's call, nanoseconds of the log's clock; written where deadline_ns is the caller's own deadline instead of t0 + budget"),
	"group":       shaped(operationID, "several callers of one client: what their operations have in common"),
	"caller":      atLeast(1, "which caller of the group, from 1"),
	"client":      oneOf([]string{eventlog.ExecClient, eventlog.AdapterClient}, "a client in a process of its own: exec is one process per operation, adapter a long-running one; absent for the variants of the bench"),
	"heard":       about("the client has no clock of the host: its times are those at which the bench heard of them"),
	"blind":       about("the client does not report its attempts: what it did is known from the server alone"),

	"goroutines":         atLeast(0, "goroutines still running that a call of the client started"),
	"connections":        atLeast(0, "connections of the client still open, once the idle ones were closed"),
	"dials":              atLeast(0, "dials of the client still under way"),
	"slots":              atLeast(0, "concurrency slots of the client that nobody gave back"),
	"handlers":           atLeast(0, "handlers of the server still busy for the client"),
	"server_connections": atLeast(0, "connections that the server still holds for the client"),
	"probe":              shaped(operationID, "the operation that tries the last client of the series afterwards; absent if the client could not be tried"),

	"schema":         exactly(eventlog.Schema, "format of the log"),
	"schema_version": shaped(version1, versionText),
	"side":           oneOf([]string{eventlog.ClientSide, eventlog.ServerSide}, "which side wrote the log"),
	"clock":          about("the clock of t_ns"),
	"boot_id":        about("the boot whose clock it is; two logs of one boot share their clock"),
}

// common are the keys that any event may carry.
var common = []string{"seq", "t_ns", "at_ns", "event", "op", "experiment"}

// events describes one line of client.jsonl or server.jsonl. Each kind has its
// own required keys, by the table that the encoder works by.
func events() (object, error) {
	defs, err := eventDefs()
	if err != nil {
		return nil, err
	}
	var cases []object
	for _, d := range eventlog.Descriptions {
		kind, err := kindDef(d, defs)
		if err != nil {
			return nil, err
		}
		defs["kind."+string(d.Kind)] = kind
		cases = append(cases, object{"if": object{"properties": object{"event": object{"const": d.Kind}}}, "then": object{"$ref": "#/$defs/kind." + string(d.Kind)}})
	}
	return object{"title": "deadlinelab event", "type": "object", "required": []string{"seq", "t_ns", "event"},
		"description": "One line of client.jsonl or server.jsonl. A key that is zero, false or empty is left out, unless the kind always carries it.",
		"properties":  references(common), "allOf": cases, "$defs": defs, "additionalProperties": true}, nil
}

// eventDefs describes every key that a line may have, once.
func eventDefs() (object, error) {
	defs := object{}
	for _, t := range []reflect.Type{reflect.TypeFor[eventlog.Event](), reflect.TypeFor[eventlog.Start](), reflect.TypeFor[eventlog.Leaks](), reflect.TypeFor[eventlog.Header]()} {
		for _, f := range fieldsOf(t) {
			line, known := eventKeys[f.key]
			if !known {
				return nil, fmt.Errorf("%s: the key %q has no line in its table", t, f.key)
			}
			defs["key."+f.key] = scalar(f.typ).with(line)
		}
	}
	return defs, nil
}

func kindDef(d eventlog.Description, defs object) (object, error) {
	all := append(append([]string{}, d.Always...), d.Sometimes...)
	for _, key := range all {
		if defs["key."+key] == nil {
			return nil, fmt.Errorf("%s carries %q, which no event has", d.Kind, key)
		}
	}
	kind := object{"description": d.Meaning + sideText(d.Side), "properties": references(all)}
	if len(d.Always) > 0 {
		kind["required"] = d.Always
	}
	return kind, nil
}

func sideText(side string) string {
	if side == eventlog.BothSides {
		return " (both sides)"
	}
	return " (" + side + ")"
}

func references(names []string) object {
	properties := object{}
	for _, key := range names {
		properties[key] = object{"$ref": "#/$defs/key." + key}
	}
	return properties
}
