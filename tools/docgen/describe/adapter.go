package describe

import (
	"reflect"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/extclient"
)

// adapterMessages describes one line of the adapter protocol, of either side.
func adapterMessages() (object, error) {
	ts := &types{defs: object{}}
	hello := ts.structure(reflect.TypeFor[adapter.Hello]())
	ts.defs["hello_of_bench"] = hello.with(object{"description": "the first line of the bench", "required": []string{"type", "protocol", "bench"}})
	ts.defs["hello_of_client"] = hello.with(object{"description": "the first line of the client", "required": []string{"type", "protocol", "name", "version", "clock"}})
	ts.defs[adapter.TypeOperation] = ts.structure(reflect.TypeFor[adapter.Operation]()).with(object{"description": "bench: make this call"})
	ts.asks()
	ts.event()
	root := object{"title": "deadlinelab adapter message", "type": "object", "required": []string{"type"}, "additionalProperties": true, "$defs": ts.defs,
		"description": "One line of the adapter protocol, version 1, on the client's standard input (bench) or standard output (client). Both sides ignore keys and types that they do not know.",
		"properties":  object{"type": object{"type": "string", "description": "type of the message"}},
		"allOf":       byType()}
	return root, ts.err()
}

// byType chooses the description of a message by its type.
func byType() []object {
	is := func(name string) object { return object{"properties": object{"type": object{"const": name}}} }
	bench := object{"required": []string{"bench"}}
	cases := []object{{"if": is(adapter.TypeHello), "then": object{"if": bench,
		"then": object{"$ref": "#/$defs/hello_of_bench"}, "else": object{"$ref": "#/$defs/hello_of_client"}}}}
	for _, name := range []string{adapter.TypeOperation, adapter.TypeHoldSlot, adapter.TypeRelease, adapter.TypeCancel, adapter.TypeClose, adapter.TypeShutdown, adapter.TypeEvent} {
		cases = append(cases, object{"if": is(name), "then": object{"$ref": "#/$defs/" + name}})
	}
	return cases
}

// asks are the messages of the bench that are one Go type, each with its keys.
func (ts *types) asks() {
	all := ts.structure(reflect.TypeFor[adapter.Ask]())
	properties := all["properties"].(object)
	for name, ask := range map[string]struct {
		needs   []string
		may     []string
		meaning string
	}{
		adapter.TypeHoldSlot: {[]string{"op", "client", "slots"}, nil, "bench: take every slot of that client and keep them until release; like an operation that sends nothing"},
		adapter.TypeRelease:  {[]string{"op"}, []string{"at_ns"}, "bench: give the slots of that hold_slot back"},
		adapter.TypeCancel:   {[]string{"op"}, nil, "bench: the caller of that operation has lost patience"},
		adapter.TypeClose:    {[]string{"client"}, nil, "bench: that client is not used any more; its pool may be closed"},
		adapter.TypeShutdown: {nil, nil, "bench: end; the end of standard input follows"},
	} {
		own := object{"type": properties["type"]}
		for _, key := range append(append([]string{}, ask.needs...), ask.may...) {
			own[key] = properties[key]
		}
		ts.defs[name] = object{"type": "object", "description": ask.meaning, "required": append([]string{"type"}, ask.needs...), "properties": own, "additionalProperties": true}
	}
}

// event is what a client reports: every kind with the keys that it needs.
func (ts *types) event() {
	e := ts.structure(reflect.TypeFor[adapter.Event]())
	var names []string
	var cases []object
	for _, k := range extclient.EventKinds {
		names = append(names, k.Name)
		kind := object{"description": k.Meaning}
		if len(k.Needs) > 0 {
			kind["required"] = k.Needs
		}
		cases = append(cases, object{"if": object{"properties": object{"event": object{"const": k.Name}}}, "then": kind})
	}
	properties := e["properties"].(object)
	properties["event"] = object{"type": "string"}.with(oneOf(names, "kind of the event"))
	ts.defs[adapter.TypeEvent] = e.with(object{"description": "client: something happened in an operation", "required": []string{"type", "op", "event"}, "properties": properties, "allOf": cases})
}

func init() {
	named := func(most int, text string) object {
		return object{"description": text, "minLength": 1, "maxLength": most}
	}
	message := object{"description": "type of the message"}
	describes[adapter.Hello](keys{
		"type": message, "protocol": object{"description": "version of the protocol", "const": adapter.Protocol},
		"bench":    about("bench: its version"),
		"name":     named(extclient.MaxName, "client: library or program under test"),
		"version":  named(extclient.MaxName, "client: its version"),
		"language": named(extclient.MaxLanguage, "client: language and runtime with its version"),
		"settings": object{"description": "client: how it is set up, for the report", "maxProperties": extclient.MaxSettings,
			"propertyNames": object{"maxLength": extclient.MaxName}, "additionalProperties": object{"type": "string", "maxLength": extclient.MaxSetting}},
		"capabilities": object{"description": "client: what it can be asked for; nothing else is asked of it", "uniqueItems": true,
			"items": object{"enum": adapter.Capabilities}},
		"clock": oneOf([]string{adapter.ClockMonotonic, adapter.ClockNone}, "client: t_ns are nanoseconds of CLOCK_MONOTONIC, or its events carry none"),
	})
	describes[adapter.Operation](keys{
		"type": message,
		"op":   shaped(operationID, "id of the operation, opaque"), "client": named(128, "operations with the same one share pool and slots; a new one is a new client"),
		"url": about("what to request"), "method": about("method of the request; GET or HEAD unless the client claims body"),
		"body_bytes":         atLeast(1, "length of the request body in bytes, any content; absent without a body"),
		"idempotency_key":    about("header Idempotency-Key, the same on every attempt; absent = none"),
		"budget_ms":          atLeast(0, "what the caller grants, from the call on, milliseconds"),
		"caller_deadline_ms": about("the caller's own deadline, from the call on, milliseconds; at or below 0: it has passed; absent = none"),
		"policy":             about("the retry policy that the scenario asks for"), "attempt": about("limits inside one attempt"),
		"pool": about("limits of the connection pool; absent = none"), "slots": atLeast(1, "calls that the client lets run at once; absent = no limit"),
	})
	describes[adapter.Policy](keys{
		"max_attempts":       atLeast(1, "attempts of one operation"),
		"backoff_ms":         about("pause after attempt 1, 2, …, milliseconds; the last one repeats; jitter is drawn already"),
		"retryable_statuses": about("statuses after which another attempt is made"),
		"retryable_failures": about("outcomes after which another attempt is made"),
	})
	describes[adapter.Limits](keys{
		"total_ms": atLeast(0, "the whole attempt with its body, milliseconds; null = no limit"), "connect_ms": atLeast(0, "from the call to a usable connection, the pool's queue included, milliseconds; null = no limit"),
		"sock_connect_ms": atLeast(0, "the dial, milliseconds; null = no limit"), "sock_read_ms": atLeast(0, "silence between two reads, milliseconds; null = no limit"),
	})
	describes[adapter.Pool](keys{"limit": atLeast(1, "connections; absent = no limit"), "limit_per_host": atLeast(1, "connections to one host; absent = no limit")})
	describes[adapter.Ask](keys{
		"type": message, "op": shaped(operationID, "the operation that is meant"), "client": named(128, "the client that is meant"),
		"slots": atLeast(1, "how many slots the client has; all are taken"),
		"at_ns": atLeast(1, "when, nanoseconds of CLOCK_MONOTONIC; absent = at once"),
	})
	describes[adapter.Event](keys{
		"type": message, "op": shaped(operationID, "the operation that it belongs to"), "event": about("kind of the event"),
		"t_ns":    atLeast(1, "when it happened, nanoseconds of CLOCK_MONOTONIC; absent with clock none"),
		"attempt": between(1, extclient.MaxAttempts, "attempt of the operation, from 1"), "planned_ms": between(0, extclient.MaxPlannedMs, "planned length of the pause, milliseconds"),
		"status": between(100, 999, "HTTP status"), "bytes": atLeast(0, "length of the whole body, bytes"),
		"limit":      oneOf(extclient.AttemptLimits, "the limit that acted"),
		"outcome":    oneOf(extclient.EventOutcomes("outcome"), "how the operation ended"),
		"last":       oneOf(extclient.EventOutcomes("last"), "beside retries_exhausted: how the last attempt failed"),
		"error_type": about("class or type of the error that the caller gets"), "error": about("its text, for people"),
		"body": object{"description": "with success: the body; of a longer one the last 4096 bytes", "maxLength": adapter.BodyKept},
	})
}
