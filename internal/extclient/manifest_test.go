package extclient

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

const twoClients = `# clients
clients:
  - name: curl_bounded
    pair: curl
    kind: exec
    command: curl -sS --max-time {budget_s} {url}
    outcomes: {"28": deadline_exceeded, 22: retries_exhausted}
    documentation: https://curl.se/docs/manpage.html
    settings: {timeout: "--max-time budget"}
    mends: "--max-time is a limit of the whole operation."
  - name: aiohttp_d
    kind: adapter
    command: "python3 'a dir/client.py' aiohttp_d"
    study: D
`

func TestReadManifest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "clients.yaml")
	if err := os.WriteFile(file, []byte(twoClients), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := ReadManifest(file)
	if err != nil {
		t.Fatal(err)
	}
	want := []Entry{
		{Name: "curl_bounded", Pair: "curl", Kind: "exec", Command: "curl -sS --max-time {budget_s} {url}",
			Outcomes: map[string]string{"28": "deadline_exceeded", "22": "retries_exhausted"}, Documentation: "https://curl.se/docs/manpage.html",
			Settings: map[string]string{"timeout": "--max-time budget"}, Fixes: "--max-time is a limit of the whole operation.",
			Line: 3, Argv: []string{"curl", "-sS", "--max-time", "{budget_s}", "{url}"},
			ExitOutcomes: map[int]eventlog.Outcome{28: eventlog.DeadlineExceeded, 22: eventlog.RetriesExhausted}},
		{Name: "aiohttp_d", Kind: "adapter", Command: "python3 'a dir/client.py' aiohttp_d", Study: "D", Line: 11,
			Argv: []string{"python3", "a dir/client.py", "aiohttp_d"}, ExitOutcomes: map[int]eventlog.Outcome{}},
	}
	if diff := cmp.Diff(want, m.Clients); diff != "" {
		t.Error(diff)
	}
	if e, ok := m.Entry("aiohttp_d"); !ok || e.Line != 11 {
		t.Errorf("found %+v, %v", e, ok)
	}
	if _, ok := m.Entry("nobody"); ok || !slices.Equal(m.Names(), []string{"curl_bounded", "aiohttp_d"}) {
		t.Errorf("names %q", m.Names())
	}
}

func TestManifestErrors(t *testing.T) {
	for name, c := range map[string]struct{ edit, want string }{
		"empty need":     {"pair: curl=>needs: ['']", `needs: found an empty text, expected programs and files`},
		"no module":      {"pair: curl=>imports: [a b]", `imports "a b": expected the name of a Python module`},
		"unknown key":    {"pair: curl=>piar: curl", `c.yaml:4: found the key "piar"; did you mean "pair"?`},
		"kind":           {"kind: exec=>kind: shell", `c.yaml:3: client "curl_bounded": kind "shell": expected exec or adapter`},
		"name":           {"aiohttp_d\n=>Aiohttp\n", `c.yaml:11: client "Aiohttp": expected a name`},
		"twice":          {"name: aiohttp_d=>name: curl_bounded", `c.yaml:11: client "curl_bounded": the name a second time, expected each once; the first stands in line 3`},
		"command":        {"'a dir/=>'a dir", ""},
		"open quote":     {"client.py'=>client.py", `c.yaml:11: client "aiohttp_d": command: character 9: found a quote '`},
		"no command":     {"    command: curl -sS --max-time {budget_s} {url}\n=>", `c.yaml:3: client "curl_bounded": command: character 1: found no word`},
		"placeholder":    {"{url}=>{uri}", `command: word 5: found {uri}`},
		"status":         {`"28"=>"0"`, `outcomes: status "0": expected 1 to 255`},
		"outcome":        {"deadline_exceeded=>deadline_exeeded", `did you mean "deadline_exceeded"?`},
		"documentation":  {"https://curl.se/docs/manpage.html=>javascript:alert(1)", `documentation "javascript:alert(1)": expected the address of a page`},
		"study":          {"study: D=>study: H", `study "H": expected one of A to D`},
		"adapter's":      {"study: D=>settings: {a: b}", "expected them with kind exec only"},
		"type":           {"pair: curl=>pair: [curl]", "c.yaml:4: cannot unmarshal"},
		"syntax":         {"pair: curl=>pair: {", "c.yaml:"},
		"second":         {"study: D=>study: D\n---\n{}", "c.yaml: found a second document"},
		"nothing":        {twoClients + "=>", "c.yaml:1: found no client"},
		"clients' place": {"# clients\nclients:=>clients: []\nothers:", `found the key "others"`},
	} {
		from, to, _ := strings.Cut(c.edit, "=>")
		text := strings.Replace(twoClients, from, to, 1)
		if text == twoClients {
			t.Fatalf("%s: nothing edited", name)
		}
		_, err := ParseManifest("c.yaml", []byte(text))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

// Whatever a manifest holds, reading it ends, and an error names the file. What
// is accepted can be run: every client has a name and a command.
func FuzzParseManifest(f *testing.F) {
	f.Add([]byte(twoClients))
	f.Add([]byte("clients: [{name: a, kind: exec, command: \"x {url}\", outcomes: {\"256\": success}}]"))
	f.Add([]byte("a: &a [*a]\nclients: *a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseManifest("c.yaml", data)
		if err != nil {
			if !strings.Contains(err.Error(), "c.yaml") {
				t.Errorf("the file is not named: %v", err)
			}
			return
		}
		for _, e := range m.Clients {
			if e.Name == "" || len(e.Argv) == 0 {
				t.Errorf("accepted %+v", e)
			}
		}
	})
}
