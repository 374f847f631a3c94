package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/schema"
)

// fits SCHEMA FILE fails unless everything in the file is as the schema says and
// has a line in it. Then it spoils each kind of record, key by key: a schema that
// accepts that would prove nothing.
func fits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fits SCHEMA FILE")
	}
	published, complete := compile(ts, args[0], false), compile(ts, args[0], true)
	records := recordsOf(ts, args[1])
	if len(records) == 0 {
		ts.Fatalf("%s is empty", args[1])
	}
	spoiled := map[string]bool{}
	for i, record := range records {
		if err := complete.Validate(record); err != nil {
			ts.Fatalf("%s, record %d: %v\n%v", args[1], i+1, err, record)
		}
		kind := fmt.Sprint(record["event"], record["schema"], record["outcome"])
		if !spoiled[kind] && args[0] != "scenario" {
			spoiled[kind] = true
			tolerates(ts, published, record)
			refuses(ts, published, record)
		}
	}
}

// tolerates fails if the schema refuses a key that a later version added.
func tolerates(ts *testscript.TestScript, s *jsonschema.Schema, record map[string]any) {
	later := maps.Clone(record)
	later["added_by_a_later_version"] = true
	ts.Check(s.Validate(later))
}

// compile reads a schema; a complete one refuses keys that it does not name.
func compile(ts *testscript.TestScript, name string, complete bool) *jsonschema.Schema {
	text, err := schema.Read(name)
	ts.Check(err)
	if complete {
		closed := `"additionalProperties": false`
		if name == "events" {
			closed = `"unevaluatedProperties": false` // a kind's keys stand in its own branch
		}
		text = bytes.ReplaceAll(text, []byte(`"additionalProperties": true`), []byte(closed))
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	ts.Check(err)
	c := jsonschema.NewCompiler()
	ts.Check(c.AddResource("urn:test", document))
	s, err := c.Compile("urn:test")
	ts.Check(err)
	return s
}

// recordsOf reads the lines of a .jsonl file, the scenarios of a plan, or one
// JSON document.
func recordsOf(ts *testscript.TestScript, file string) []map[string]any {
	text := ts.ReadFile(file)
	var records []map[string]any
	switch {
	case strings.HasSuffix(file, ".jsonl"):
		for line := range strings.Lines(text) {
			records = append(records, instance(ts, []byte(line)))
		}
	case strings.HasSuffix(file, ".yaml"):
		var plan struct {
			Scenarios []map[string]any `yaml:"scenarios"`
		}
		ts.Check(yaml.Unmarshal([]byte(text), &plan))
		for _, s := range plan.Scenarios {
			asJSON, err := json.Marshal(s)
			ts.Check(err)
			records = append(records, instance(ts, asJSON))
		}
	default:
		records = append(records, instance(ts, []byte(text)))
	}
	return records
}

func instance(ts *testscript.TestScript, text []byte) map[string]any {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	ts.Check(err)
	record, ok := v.(map[string]any)
	if !ok {
		ts.Fatalf("not an object: %s", text)
	}
	return record
}

// refuses fails if the schema accepts the record with a value of another type
// anywhere, or an event without a key that its kind always carries.
func refuses(ts *testscript.TestScript, s *jsonschema.Schema, record map[string]any) {
	spoil(record, func(path string) {
		if s.Validate(record) == nil {
			ts.Fatalf("the schema accepts a value of another type at %s: %v", path, record)
		}
	})
	kind, _ := record["event"].(string)
	for _, key := range alwaysOf(kind) {
		without := maps.Clone(record)
		delete(without, key)
		if s.Validate(without) == nil {
			ts.Fatalf("the schema accepts %s without %s", kind, key)
		}
	}
}

// alwaysOf are the keys that every event of a kind has, none for what is no event.
func alwaysOf(kind string) []string {
	for _, d := range eventlog.Descriptions {
		if string(d.Kind) == kind {
			return d.Always
		}
	}
	return nil
}

// spoil puts a value of another type in the place of each value, one at a time.
func spoil(node any, try func(path string)) {
	switch node := node.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(node)) {
			value := node[key]
			node[key] = other(value)
			try(key)
			node[key] = value
			spoil(value, func(path string) { try(key + "." + path) })
		}
	case []any:
		if len(node) == 0 {
			return
		}
		value := node[0] // its fellows have the same schema
		node[0] = other(value)
		try("0")
		node[0] = value
		spoil(value, func(path string) { try("0." + path) })
	}
}

// other is a value of a type that no key has beside the type of value.
func other(value any) any {
	if _, list := value.([]any); list {
		return map[string]any{}
	}
	return []any{[]any{}}
}
