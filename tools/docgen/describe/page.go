package describe

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// pageFiles are the files whose keys the page lists, in the order in which a
// reader meets them.
var pageFiles = []struct {
	file string
	typ  reflect.Type
}{
	{"summary.json", reflect.TypeFor[verdict.Summary]()},
	{"operations.jsonl", reflect.TypeFor[timeline.Operation]()},
	{"run.json", reflect.TypeFor[rundir.Run]()},
}

const pageHead = `# Every key of a run's files

Made from the Go types that write the files and from the texts of their [schemas](ci.md#schemas): ` + "`go generate ./schema`" + ` writes it. How a figure is computed: [statistics.md](statistics.md). The events of
` + "`client.jsonl` and `server.jsonl`" + `: [events.md](events.md). The scenarios in ` + "`plan.yaml`" + `: [scenarios.md](scenarios.md).

*or null*: the key is always there, and null where the figure is not known. *if any*: it is left out where it would be empty, zero or false. A path with ` + "`[]`" + ` is each entry of a list, one with ` + "`*`" + ` each value of an object whose keys are names.
`

// pagePlan is by hand: plan.yaml has no struct of JSON.
const pagePlan = `
## plan.yaml

| key | kind | meaning |
|---|---|---|
| ~schema~, ~schema_version~ | text | format of the file, and its version as above |
| ~seed~, ~repeats~, ~operations~ | whole number | as in run.json |
| ~groups~ | whole number, if any | groups of callers of each cell in one repeat, where several callers have one client; absent: as many as operations |
| ~clients~ | list, if any | clients in processes of their own, with the keys of ~clients[]~ of summary.json, and ~clock~ (adapter: ~monotonic~ or ~none~) and ~outcomes~ (exec: what an exit ~status~ means, its ~outcome~) |
| ~cells~ | list | what was measured: ~scenario~, ~variant~, ~label~, and ~not_applicable~ where that client cannot be measured there, and why |
| ~scenarios~ | list | each scenario with every default filled in: its keys are those of a [scenario file](scenarios.md) |
`

// Page is docs/files.md: each key of the files that a run writes, with its kind
// and its meaning.
func Page() (string, error) {
	var b strings.Builder
	b.WriteString(pageHead)
	for _, f := range pageFiles {
		if err := pageFile(&b, f.file, f.typ); err != nil {
			return "", fmt.Errorf("%s: %w", f.file, err)
		}
	}
	b.WriteString(strings.ReplaceAll(pagePlan, "~", "`"))
	return b.String(), nil
}

// place is a struct and where in the file it stands.
type place struct {
	path string
	typ  reflect.Type
}

// pageFile writes a table for each struct of the file, at the place where it is
// met first.
func pageFile(b *strings.Builder, file string, root reflect.Type) error {
	fmt.Fprintf(b, "\n## %s\n", file)
	met := map[reflect.Type]string{root: ""}
	for waiting := []place{{"", root}}; len(waiting) > 0; waiting = waiting[1:] {
		at := waiting[0]
		if at.path != "" {
			fmt.Fprintf(b, "\n### `%s`\n", at.path)
		}
		b.WriteString("\n| key | kind | meaning |\n|---|---|---|\n")
		for _, f := range fieldsOf(at.typ) {
			path, inner := inside(strings.TrimPrefix(at.path+"."+f.key, "."), f.typ)
			first, known := met[inner]
			if inner.Kind() == reflect.Struct && !known {
				first, met[inner] = path, path
				waiting = append(waiting, place{path, inner})
			}
			if err := pageRow(b, f, first); err != nil {
				return err
			}
		}
	}
	return nil
}

// inside follows lists and maps to what they hold.
func inside(path string, t reflect.Type) (string, reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer:
		return inside(path, t.Elem())
	case reflect.Slice, reflect.Array:
		return inside(path+"[]", t.Elem())
	case reflect.Map:
		return inside(path+".*", t.Elem())
	}
	return path, t
}

// pageRow writes one key. first is where the struct that it holds is described.
func pageRow(b *strings.Builder, f structField, first string) error {
	line, known := tables[f.owner][f.key]
	if !known {
		return fmt.Errorf("%s: the key %q has no line in its table", f.owner, f.key)
	}
	kind := kindOf(f.typ, first)
	switch {
	case f.optional:
		kind += ", if any"
	case f.nullable():
		kind += " or null"
	}
	meaning := fmt.Sprint(cmp.Or[any](line["description"], ""))
	_, err := fmt.Fprintf(b, "| `%s` | %s | %s |\n", f.key, kind, strings.ReplaceAll(meaning, "|", "\\|"))
	return err
}

// kindOf is a type in words; a struct by where it is described.
func kindOf(t reflect.Type, first string) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem(), first)
	case reflect.Struct:
		return "object `" + first + "`"
	case reflect.Slice:
		return "list of " + kindOf(t.Elem(), first)
	case reflect.Array:
		return fmt.Sprintf("list of %d × %s", t.Len(), kindOf(t.Elem(), first))
	case reflect.Map:
		return kindOf(t.Elem(), first) + " by name"
	}
	return map[any]string{"string": "text", "boolean": "true or false", "number": "number", "integer": "whole number"}[scalar(t)["type"]]
}
