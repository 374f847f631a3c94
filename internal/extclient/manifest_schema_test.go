package extclient

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// asJSON is what a YAML file holds, as a validator takes it: its keys as text.
func asJSON(t *testing.T, data []byte) any {
	t.Helper()
	var document struct {
		Rest    map[string]any `yaml:",inline"`
		Clients []struct {
			Rest     map[string]any    `yaml:",inline"`
			Outcomes map[string]string `yaml:"outcomes"`
		} `yaml:"clients"`
	}
	if err := yaml.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	clients := []any{}
	for _, c := range document.Clients {
		if c.Outcomes != nil {
			c.Rest["outcomes"] = c.Outcomes
		}
		clients = append(clients, c.Rest)
	}
	if document.Rest == nil {
		document.Rest = map[string]any{}
	}
	document.Rest["clients"] = clients
	text, err := json.Marshal(document.Rest)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The schema takes the manifests that the bench takes.
func TestManifestSchemaAccepts(t *testing.T) {
	s := published(t, "manifest")
	known, err := os.ReadFile("../../clients/clients.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"clients.yaml": known, "two": []byte(twoClients)} {
		if _, err := ParseManifest(name, text); err != nil {
			t.Error(err)
		}
		if err := s.Validate(asJSON(t, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the bench refuses for its shape the schema refuses too.
func TestManifestSchemaRefuses(t *testing.T) {
	s := published(t, "manifest")
	for _, edit := range []string{
		"pair: curl=>piar: curl", "pair: curl=>pair: [curl]", "kind: exec=>kind: shell", "aiohttp_d\n=>Aiohttp\n", "    kind: exec\n=>", "  - name: aiohttp_d\n    kind=>  - kind",
		"    command: curl -sS --max-time {budget_s} {url}\n=>", `"28"=>"0"`, `"28"=>"256"`, `"28"=>"x"`, "deadline_exceeded=>deadline_exeeded", "deadline_exceeded=>success",
		"https://curl.se/docs/manpage.html=>javascript:alert(1)", "study: D=>study: H", "study: D=>settings: {a: b}", "study: D=>program: p", `study: D=>outcomes: {"1": refused}`,
		"pair: curl=>needs: ['']", "pair: curl=>imports: [a b]", twoClients + "=>", twoClients + "=>clients: []",
	} {
		from, to, _ := strings.Cut(edit, "=>")
		text := strings.Replace(twoClients, from, to, 1)
		if text == twoClients {
			t.Fatalf("%s: nothing edited", edit)
		}
		if _, err := ParseManifest("c.yaml", []byte(text)); err == nil {
			t.Errorf("%s: the bench takes it", edit)
		}
		if s.Validate(asJSON(t, []byte(text))) == nil {
			t.Errorf("%s: the schema takes it", edit)
		}
	}
}
