package describe

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// closed are the types whose values are a closed list.
var closed = map[reflect.Type]any{
	reflect.TypeFor[eventlog.Outcome](): eventlog.Outcomes,
	reflect.TypeFor[eventlog.Phase]():   []eventlog.Phase{eventlog.Warmup, eventlog.Measured, eventlog.Helper, eventlog.Probe, eventlog.Startup},
	reflect.TypeFor[timeline.Promise](): timeline.Promises,
	reflect.TypeFor[verdict.Verdict]():  []verdict.Verdict{verdict.Pass, verdict.Fail, verdict.Inconclusive, verdict.Unjudged, verdict.NotApplicable},
	reflect.TypeFor[rundir.Status]():    []rundir.Status{rundir.Running, rundir.Complete, rundir.Aborted},
}

// tables hold the keys of every struct that a file is made of.
var tables = map[reflect.Type]keys{}

// describes adds the table of a struct; a second one panics.
func describes[T any](table keys) {
	t := reflect.TypeFor[T]()
	if tables[t] != nil {
		panic("describe: " + t.String() + " has two tables")
	}
	tables[t] = table
}

// types gathers the structs that a document refers to, each described once.
type types struct {
	defs object
	errs []string
}

// document is the schema of a file that holds one T.
func document[T any](title, text string) (object, error) {
	ts := &types{defs: object{}}
	t := reflect.TypeFor[T]()
	root := ts.structure(t)
	root["title"], root["description"], root["$defs"] = title, text, ts.defs
	return root, ts.err()
}

func (ts *types) err() error {
	if len(ts.errs) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(ts.errs, "; "))
}

// structure is a struct's keys. Those that are written even when they are
// empty are required; others may come with a later version.
func (ts *types) structure(t reflect.Type) object {
	properties, required := object{}, []string{}
	for _, f := range fieldsOf(t) {
		properties[f.key] = ts.property(f)
		if !f.optional {
			required = append(required, f.key)
		}
	}
	return object{"type": "object", "required": required, "properties": properties, "additionalProperties": true}
}

// reference names the struct's description among the document's $defs.
func (ts *types) reference(t reflect.Type) object {
	name := strings.ToLower(t.Name())
	if ts.defs[name] == nil {
		ts.defs[name] = object{} // a struct may hold itself
		ts.defs[name] = ts.structure(t)
	}
	return object{"$ref": "#/$defs/" + name}
}

func (ts *types) property(f structField) object {
	line, known := tables[f.owner][f.key]
	if !known {
		ts.errs = append(ts.errs, fmt.Sprintf("%s: the key %q has no line in its table", f.owner, f.key))
	}
	kind := ts.value(f.typ)
	if f.nullable() {
		kind = orNull(kind)
	}
	return kind.with(line)
}

func (ts *types) value(t reflect.Type) object {
	if values, ok := closed[t]; ok {
		return object{"enum": values}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return ts.value(t.Elem())
	case reflect.Struct:
		return ts.reference(t)
	case reflect.Slice:
		return object{"type": "array", "items": ts.value(t.Elem())}
	case reflect.Array:
		return object{"type": "array", "items": ts.value(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": ts.value(t.Elem())}
	}
	return scalar(t)
}

func scalar(t reflect.Type) object {
	switch t.Kind() {
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Uint, reflect.Uint64:
		return object{"type": "integer", "minimum": 0}
	}
	return object{"type": "integer"}
}

// orNull allows null: a figure that is not known.
func orNull(o object) object {
	if t, ok := o["type"].(string); ok {
		return o.with(object{"type": []string{t, "null"}})
	}
	return object{"anyOf": []object{o, {"type": "null"}}}
}
