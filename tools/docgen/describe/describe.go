// Package describe makes the JSON Schemas of the files of a run. Names, types
// and which keys are always there come from the Go types that write the files;
// meanings, units and ranges from the tables here. A key without a line in its
// table, or a line without a key, is an error.
package describe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// object is a JSON object; encoding/json writes its keys in order.
type object map[string]any

const dialect = "https://json-schema.org/draft/2020-12/schema"

// ID is the $id of the schema of that name. It changes with the major version
// of what it describes.
func ID(name string) string { return "urn:deadlinelab:schema:" + name + ":1" }

// documents make everything of a schema but its $id.
var documents = map[string]func() (object, error){
	"adapter":    adapterMessages,
	"compare":    comparison,
	"doctor":     examination,
	"events":     events,
	"manifest":   manifest,
	"operations": operations,
	"run":        run,
	"summary":    summary,
}

// Names lists the schemas in order.
func Names() []string {
	names := append(slices.Collect(maps.Keys(documents)), "scenario")
	slices.Sort(names)
	return names
}

// JSON is the schema of that name, as it stands in schema/.
func JSON(name string) ([]byte, error) {
	if name == "scenario" {
		return scenario.JSONSchema()
	}
	document, known := documents[name]
	if !known {
		return nil, fmt.Errorf("schema %q: expected one of %q", name, Names())
	}
	root, err := document()
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	root["$schema"], root["$id"] = dialect, ID(name)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(root); err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	return b.Bytes(), nil
}
