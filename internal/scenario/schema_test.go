package scenario

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/deadlinelab/deadlinelab/scenarios"
)

var update = flag.Bool("update", false, "write golden files and the JSON Schema")

const schemaFile = "../../schema/scenario.schema.json"

// golden compares with a committed file, or writes it with -update.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the code makes; go test ./internal/scenario -update writes it\n%s", file, got)
	}
}

// The published schema is the one that the code makes.
func TestSchemaIsCurrent(t *testing.T) {
	got, err := JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, schemaFile, got)
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// instance turns YAML into what a JSON Schema validator takes.
func instance(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Every embedded file and every test file is valid against the schema, as it
// is written and as Marshal completes it.
func TestSchemaAcceptsFiles(t *testing.T) {
	schema := compileSchema(t)
	files := map[string][]byte{}
	for _, file := range embedded() {
		data, err := scenarios.Files.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files[file] = data
	}
	extra, _ := filepath.Glob("testdata/*.yaml")
	for _, file := range extra {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files[file] = data
	}
	if len(files) < 13 {
		t.Fatalf("only %d files", len(files))
	}
	for file, data := range files {
		s, err := Parse(file, data)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		complete, err := Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{data, complete} {
			if err := schema.Validate(instance(t, text)); err != nil {
				t.Errorf("%s: %v\n%s", file, err, text)
			}
		}
	}
}

// What a schema can say, it says: it refuses these as Parse does.
func TestSchemaRefuses(t *testing.T) {
	schema := compileSchema(t)
	if err := schema.Validate(instance(t, []byte(small))); err != nil {
		t.Fatal(err)
	}
	says := map[string]bool{"unknown key": true, "unknown key of the upstream": true, "unknown key of a step": true, "unknown key of a window": true,
		"reserved key": true, "text for a number": true, "null for a number": true, "fraction for a count": true, "jitter true": true,
		"negative": true, "huge budget": true, "no backoff": true, "status twice": true, "unknown failure": true, "limit of 0": true,
		"unknown type": true, "no type": true, "huge delay": true, "no budget": true, "no operation": true, "no variants": true, "bad name": true,
		"contrast of one": true, "contrast with itself": true, "empty expectation": true, "unknown outcome": true, "window without ends": true,
		"unknown method": true, "huge body": true, "no callers": true, "callers share a word": true, "callers share twice": true}
	for _, c := range badFiles {
		if !says[c.name] {
			continue
		}
		delete(says, c.name)
		if schema.Validate(instance(t, []byte(build(t, c.text)))) == nil {
			t.Errorf("the schema accepts %q", c.name)
		}
	}
	for name := range says {
		t.Errorf("there is no bad file %q", name)
	}
}
