package describe

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/schema"
)

// The published schemas are the ones that the code makes.
func TestSchemasAreCurrent(t *testing.T) {
	if !slices.Equal(Names(), schema.Names()) {
		t.Errorf("made %q, published %q", Names(), schema.Names())
	}
	for _, name := range Names() {
		made, err := JSON(name)
		if err != nil {
			t.Error(err)
			continue
		}
		published, err := schema.Read(name)
		if err != nil {
			t.Error(err)
		}
		if !bytes.Equal(made, published) {
			t.Errorf("schema/%s.schema.json is not what the code makes: `go generate ./schema` writes it", name)
		}
	}
}

// They are schemas of the draft that they name, under an id that holds their
// major version.
func TestSchemasCompile(t *testing.T) {
	for _, name := range Names() {
		text, err := JSON(name)
		if err != nil {
			t.Fatal(err)
		}
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(ID(name), document); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile(ID(name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if s.DraftVersion != 2020 {
			t.Errorf("%s: draft %d", name, s.DraftVersion)
		}
	}
}

// No line of a table outlives its key.
func TestNoLineWithoutKey(t *testing.T) {
	for owner, table := range tables {
		for key := range table {
			if !slices.ContainsFunc(fieldsOf(owner), func(f structField) bool { return f.owner == owner && f.key == key }) {
				t.Errorf("%s has no key %q", owner, key)
			}
		}
	}
	written := map[string]bool{}
	for _, of := range []any{eventlog.Event{}, eventlog.Start{}, eventlog.Leaks{}, eventlog.Header{}} {
		for _, f := range fieldsOf(reflect.TypeOf(of)) {
			written[f.key] = true
		}
	}
	for key := range eventKeys {
		if !written[key] {
			t.Errorf("no event has the key %q", key)
		}
	}
}

type described struct {
	A string `json:"a"`
	B string `json:"b"`
}

// A key without a line is an error that names it.
func TestKeyWithoutLine(t *testing.T) {
	describes[described](keys{"a": about("text")})
	defer delete(tables, reflect.TypeFor[described]())
	_, err := document[described]("title", "text")
	if want := `describe.described: the key "b" has no line in its table`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Every property says what it means; milliseconds, nanoseconds and seconds say
// so unless they are described by a structure of their own.
func TestEveryPropertyHasAMeaning(t *testing.T) {
	for _, name := range Names() {
		text, err := JSON(name)
		if err != nil {
			t.Fatal(err)
		}
		var root map[string]any
		if err := json.Unmarshal(text, &root); err != nil {
			t.Fatal(err)
		}
		if n := walk(t, name, root); n < 15 && name != "scenario" {
			t.Errorf("%s: only %d properties", name, n)
		}
	}
}

// walk checks the properties of a schema and of those inside it.
func walk(t *testing.T, path string, node any) int {
	n := 0
	switch node := node.(type) {
	case []any:
		for _, one := range node {
			n += walk(t, path, one)
		}
	case map[string]any:
		properties, _ := node["properties"].(map[string]any)
		for key, value := range properties {
			n++
			checkMeaning(t, path+" "+key, value.(map[string]any))
		}
		for key, value := range node {
			n += walk(t, path+"/"+key, value)
		}
	}
	return n
}

func checkMeaning(t *testing.T, path string, property map[string]any) {
	if property["$ref"] != nil && property["description"] == nil || property["const"] != nil || strings.HasPrefix(path, "scenario") {
		return // said where it points to, or a condition; scenario keys are checked beside their own table
	}
	text, _ := property["description"].(string)
	kind, _ := property["type"].(string)
	if text == "" {
		t.Errorf("%s has no description", path)
	}
	for suffix, unit := range map[string]string{"_ms": "milliseconds", "_ns": "nanoseconds", "_seconds": "seconds"} {
		if strings.HasSuffix(path, suffix) && (kind == "number" || kind == "integer") && !strings.Contains(text, unit) {
			t.Errorf("%s does not say %s: %q", path, unit, text)
		}
	}
}

// An unknown name is answered with those there are.
func TestUnknownSchema(t *testing.T) {
	_, err := JSON("event")
	if err == nil || !strings.Contains(err.Error(), `schema "event": expected one of ["adapter" "compare"`) {
		t.Errorf("got %v", err)
	}
}
