// Package schema embeds the JSON Schemas (draft 2020-12) of everything that
// deadlinelab writes and of the files of scenarios and clients that it reads. They are made
// from the Go types by tools/docgen and internal/scenario.
//
// Keys that a schema does not name are allowed in what deadlinelab writes,
// because a later minor version may add some; in files that it reads they are not.
package schema

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:generate go run ../tools/docgen schema . ../docs/files.md

//go:embed *.schema.json
var files embed.FS

const suffix = ".schema.json"

// Names lists the schemas in order.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the embedded folder is part of the program
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), suffix))
	}
	return names
}

// Read is the text of one schema; an error names the schemas there are.
func Read(name string) ([]byte, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("%q is not a schema: expected one of %s", name, strings.Join(Names(), ", "))
	}
	return files.ReadFile(name + suffix)
}
