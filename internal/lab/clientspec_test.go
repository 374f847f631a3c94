package lab

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

func TestClientNames(t *testing.T) {
	for text, want := range map[string][2]string{
		"curl {url}":                       {"curl", "curl"},
		"mine=curl {url}":                  {"mine", "curl"},
		"curl --max-time=1 {url}":          {"curl", "curl"},
		"/opt/My-Client2.exe --url={url}":  {"my_client2", "/opt/My-Client2.exe"},
		"./7-1 {url}":                      {"client", "./7-1"},
		"'a=b' {url}":                      {"a_b", "a=b"},
		"py=python3 'x y.py' --u={url}":    {"py", "python3"},
		strings.Repeat("x", 40) + " {url}": {strings.Repeat("x", 32), strings.Repeat("x", 40)},
	} {
		c, err := ParseClient("--exec", eventlog.ExecClient, text)
		if err != nil || c.Name != want[0] || c.Argv[0] != want[1] {
			t.Errorf("%q: name %q, program %q, error %v; want %q", text, c.Name, c.Argv, err, want)
		}
	}
}

// The plan is text: a command that is not cannot be written into it.
func TestCommandIsText(t *testing.T) {
	for _, flag := range []string{"--exec", "--client"} {
		if _, err := ParseClient(flag, eventlog.AdapterClient, "mine=curl \xff {url}"); err == nil || !strings.Contains(err.Error(), "no UTF-8") {
			t.Errorf("%s: %v", flag, err)
		}
	}
}

func TestSpecs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "clients.yaml")
	text := "clients:\n- {name: one, kind: exec, command: \"curl {url}\", outcomes: {28: cancelled}}\n- {name: two, kind: adapter, command: two -x}\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	o := ClientOptions{Exec: []string{"first=curl {url}"}, Adapters: []string{"second=ad {url}"}, Manifests: []string{file + ":one", file + ": two"},
		Outcomes: []string{"28=attempt_timeout", "first:28=deadline_exceeded", "one:7=refused"}}
	specs, err := o.specs()
	if err != nil {
		t.Fatal(err)
	}
	want := []ClientSpec{
		{Name: "first", kind: "exec", Argv: []string{"curl", "{url}"}, outcomes: map[int]eventlog.Outcome{28: eventlog.DeadlineExceeded}, From: `--exec "first=curl {url}"`},
		{Name: "second", kind: "adapter", Argv: []string{"ad", "{url}"}, From: `--client "second=ad {url}"`},
		{Name: "one", kind: "exec", Argv: []string{"curl", "{url}"}, outcomes: map[int]eventlog.Outcome{28: eventlog.AttemptTimeout, 7: eventlog.Refused}, manifest: file, From: file + ":2"},
		{Name: "two", kind: "adapter", Argv: []string{"two", "-x"}, outcomes: map[int]eventlog.Outcome{}, manifest: file, From: file + ":3"},
	}
	if diff := cmp.Diff(want, specs, cmp.AllowUnexported(ClientSpec{})); diff != "" {
		t.Error(diff)
	}
	o = ClientOptions{Manifests: []string{file}}
	if specs, err = o.specs(); err != nil || len(specs) != 2 || !specs[0].optional {
		t.Errorf("all of a file: %+v, %v", specs, err)
	}
}

// A file whose name looks like FILE:NAME is a file.
func TestCutNames(t *testing.T) {
	odd := filepath.Join(t.TempDir(), "odd:name")
	if err := os.WriteFile(odd, nil, 0o644); err != nil {
		if runtime.GOOS != "windows" {
			t.Fatal(err)
		}
		t.Skip(err) // no colon in a name there
	}
	for text, want := range map[string][]string{
		odd: {odd}, odd + ":a,b": {odd, "a", "b"}, "c.yaml": {"c.yaml"}, `C:\c.yaml`: {`C:\c.yaml`}, `C:\c.yaml:a`: {`C:\c.yaml`, "a"},
	} {
		file, names := cutNames(text)
		if diff := cmp.Diff(want, append([]string{file}, names...)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
