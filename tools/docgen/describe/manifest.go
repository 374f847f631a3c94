package describe

import (
	"fmt"
	"reflect"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/extclient"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// manifest describes a file of clients. Like a scenario it is read strictly: a
// key that it does not name is an error.
func manifest() (object, error) {
	entry, err := manifestEntry()
	return object{
		"title": "deadlinelab manifest of clients", "description": "A YAML file such as clients/clients.yaml: the clients in processes of their own that `bench run --clients` can name.",
		"type": "object", "required": []string{"clients"}, "additionalProperties": false,
		"properties": object{
			"install": object{"type": "string", "description": "command that builds and installs what the clients need, for people"},
			"clients": object{"type": "array", "minItems": 1, "items": entry, "description": "the clients, each name once"},
		},
	}, err
}

func manifestEntry() (object, error) {
	ts, properties := &types{defs: object{}}, object{}
	t := reflect.TypeFor[extclient.Entry]()
	for i := range t.NumField() {
		f := t.Field(i)
		key := f.Tag.Get("yaml")
		if key == "-" {
			continue
		}
		line, known := entryKeys[key]
		if !known {
			return nil, fmt.Errorf("%s: the key %q has no line in its table", t, key)
		}
		properties[key] = ts.value(f.Type).with(line)
	}
	return object{"type": "object", "required": []string{"name", "kind", "command"}, "additionalProperties": false, "properties": properties, "if": ofAdapter, "then": saidByAdapter}, ts.err()
}

// An adapter says of itself what the entry of another client has to say.
var (
	ofAdapter     = object{"properties": object{"kind": object{"const": eventlog.AdapterClient}}}
	saidByAdapter = object{"properties": object{
		"outcomes": about("none").with(object{"maxProperties": 0}), "settings": about("none").with(object{"maxProperties": 0}), "program": object{"const": ""},
	}}
)

var entryKeys = keys{
	"name":    shaped(variants.ForeignName.String(), "its name: the variant of its series"),
	"pair":    about("what this set-up and another one of the same client have in common"),
	"kind":    oneOf([]string{eventlog.ExecClient, eventlog.AdapterClient}, "exec: a process per operation; adapter: one process that speaks the adapter protocol"),
	"command": about("program and arguments in one line, quoted as for a shell; exec: with {url} and the like").with(object{"minLength": 1}),
	"program": about("exec: the program whose version and exit statuses count, where it is not the command's first word"),
	"outcomes": about("exec: the outcome that an exit status means, over what is known of the program").with(object{
		"propertyNames":        object{"pattern": "^([1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$"},
		"additionalProperties": object{"enum": extclient.Assignable()},
	}),
	"documentation": shaped(`^(https?://\S+)?$`, "address of the page that the set-up follows"),
	"settings":      about("exec: what is set, by name; an adapter says it itself"),
	"mends":         about("which setting fixes what this set-up misses, a sentence"),
	"study":         shaped("^[A-D]?$", "letter of the published study's client that this one is"),
	"needs":         about("programs, and files by a path with a slash, that the command needs beside its first word").with(object{"items": object{"type": "string", "minLength": 1}}),
	"imports":       about("modules that the command's first word, a Python, has to find").with(object{"items": object{"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}}),
}
