package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// SchemaID is the $id of the JSON Schema.
const SchemaID = "urn:deadlinelab:schema:scenario:1"

// object is a JSON object; encoding/json writes its keys in order.
type object map[string]any

// JSONSchema describes scenario files for editors and other programs. It is
// made from the same struct tags, ranges and fault types that Parse uses. What
// a schema cannot say (an expectation for every variant, contradictions) only
// Parse checks.
func JSONSchema() ([]byte, error) {
	doc := defaults()
	root := describeFields("", fieldsOf(reflect.ValueOf(&doc).Elem()))
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = SchemaID
	root["title"] = "deadlinelab scenario"
	root["required"] = []string{"name", "question", "lesson", "contrast", "operation", "scenario", "variants", "expect"}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(root); err != nil {
		return nil, fmt.Errorf("writing the JSON Schema: %w", err)
	}
	return b.Bytes(), nil
}

func describeFields(path string, fs []field) object {
	properties := object{}
	for _, f := range fs {
		properties[f.key] = describe(join(path, f.key), f.value)
	}
	o := object{"type": "object", "additionalProperties": false, "properties": properties}
	if path == "operation" {
		o["required"] = []string{"budget_ms"}
	}
	return o
}

// describe adds what is known of the key to the schema of its type.
func describe(path string, v reflect.Value) object {
	o := byType(path, v)
	if k := keyAt(path); k.About != "" {
		o["description"] = k.About
	}
	maps.Copy(o, narrower[path])
	return o
}

// narrower is what a key demands beyond its type.
var narrower = map[string]object{
	"name":                           {"pattern": namePattern.String()},
	"rung":                           {"pattern": rungPattern.String()},
	"question":                       {"minLength": 1},
	"lesson":                         {"minLength": 1},
	"method":                         {"enum": methods},
	"callers.share":                  {"uniqueItems": true},
	"callers.share[]":                {"enum": shareable},
	"contrast":                       {"minItems": 2, "maxItems": 2, "uniqueItems": true},
	"variants":                       {"minItems": 2, "uniqueItems": true},
	"variants[]":                     {"pattern": variantPattern.String()},
	"expect":                         {"minProperties": 2},
	"expect.*":                       {"minProperties": 1},
	"expect.*.outcome":               {"enum": eventlog.Outcomes},
	"expect.*.leaks":                 {"minProperties": 1},
	"expect.*.leaks.probe":           {"enum": eventlog.Outcomes},
	"operation.backoff_ms":           {"minItems": 1, "maxItems": MaxAttempts},
	"operation.retryable_statuses":   {"uniqueItems": true},
	"operation.retryable_failures":   {"uniqueItems": true},
	"operation.retryable_failures[]": {"enum": retryable},
	"operation.jitter.max_ms":        {"description": "Greatest addition; required."},
}

func byType(path string, v reflect.Value) object {
	switch v.Interface().(type) {
	case *Jitter:
		j := describeFields(path, fieldsOf(reflect.ValueOf(&Jitter{}).Elem()))
		j["required"] = []string{"max_ms"}
		return object{"oneOf": []object{{"const": false}, j}, "default": false}
	case Duration:
		return object{"oneOf": []object{numeric(path, "number"), ofWindow(path, "number", "min_ms", "max_ms")}}
	case Count:
		return object{"oneOf": []object{numeric(path, "integer"), ofWindow(path, "integer", "min", "max")}}
	case upstream:
		return describeUpstream(path, fault.Names())
	case fault.Nested:
		return describeUpstream(path, fault.Nestable())
	}
	return byKindOf(path, v)
}

func byKindOf(path string, v reflect.Value) object {
	switch v.Kind() {
	case reflect.Pointer:
		return orNull(path, v)
	case reflect.Struct:
		return describeFields(path, fieldsOf(v))
	case reflect.Slice:
		item := describe(path+"[]", reflect.New(v.Type().Elem()).Elem())
		return withDefault(object{"type": "array", "items": item}, v)
	case reflect.Map:
		item := describe(path+".*", reflect.New(v.Type().Elem()).Elem())
		return object{"type": "object", "additionalProperties": item}
	case reflect.String:
		return withDefault(object{"type": "string"}, v)
	case reflect.Bool:
		return withDefault(object{"type": "boolean"}, v)
	case reflect.Float64:
		return withDefault(numeric(path, "number"), v)
	default:
		return withDefault(numeric(path, "integer"), v)
	}
}

// orNull is the type pointed at, or null where null means "none".
func orNull(path string, v reflect.Value) object {
	target := reflect.New(v.Type().Elem()).Elem()
	if !v.IsNil() {
		target = v.Elem()
	}
	o := byType(path, target)
	if t, ok := o["type"].(string); ok && !strings.HasPrefix(path, "expect.") {
		o["type"] = []string{t, "null"}
	}
	if v.IsNil() {
		delete(o, "default")
	}
	return o
}

func withDefault(o object, v reflect.Value) object {
	if !v.IsZero() {
		o["default"] = v.Interface()
	}
	return o
}

func numeric(path, kind string) object {
	o := object{"type": kind}
	if k := keyAt(path); k.bounded() {
		o["minimum"], o["maximum"] = k.Min, k.Max
	}
	return o
}

func ofWindow(path, kind, minKey, maxKey string) object {
	return object{"type": "object", "additionalProperties": false, "minProperties": 1,
		"properties": object{minKey: numeric(path, kind), maxKey: numeric(path, kind)}}
}

// describeUpstream has the keys of each fault type behind a condition on "type".
func describeUpstream(path string, types []string) object {
	var cases []object
	for _, name := range types {
		f, _ := fault.New(name)
		u := &upstream{Type: name, Fault: f}
		then := describeFields(path, u.fields())
		then["properties"].(object)["type"] = object{"const": name}
		cases = append(cases, object{"if": object{"properties": object{"type": object{"const": name}}}, "then": then})
	}
	return object{"type": "object", "required": []string{"type"}, "allOf": cases,
		"properties": object{"type": object{"description": keys["scenario.type"].About, "enum": types}}}
}
