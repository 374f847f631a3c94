package extclient

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// here makes a folder with a program in PATH, a Python that finds every module
// but those called absent, and one that cannot be asked.
func here(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, script := range map[string]string{
		"bin/program": "", "bin/python": `shift 2; for m; do case $m in absent*) echo "$m";; esac; done`, "bin/snake": "exit 1", "client.py": "", "plain": "",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	bin, err := filepath.Abs("bin")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
}

func TestPresences(t *testing.T) {
	here(t)
	for _, c := range []struct {
		name, entry string
		missing     []string
		mend        string // with an install command
	}{
		{"a program", "command: program {url}", nil, ""},
		{"no program", "command: absent {url}", []string{"absent (in PATH)"}, "install absent, then make all"},
		{"a file", "command: ./plain {url}", nil, ""},
		{"no file", "command: ./absent {url}", []string{"./absent"}, "make all"},
		{"the program behind another", "{command: 'program absent {url}', program: absent}", []string{"absent (in PATH)"}, "install absent, then make all"},
		{"needs", "{command: 'program {url}', needs: [program, ./plain, ./lib/x, tool, other]}", []string{"./lib/x", "tool (in PATH)", "other (in PATH)"}, "install tool, other, then make all"},
		{"modules", "{command: 'python {url}', imports: [there, too]}", nil, ""},
		{"no modules", "{command: 'python {url}', needs: [./lost], imports: [absent, there, absent2]}", []string{"./lost", "module absent (of python)", "module absent2 (of python)"}, "make all"},
		{"a Python that says nothing", "{command: 'snake {url}', imports: [there]}", []string{"module there (of snake)"}, "make all"},
		{"no Python", "{command: 'absent {url}', imports: [there]}", []string{"absent (in PATH)"}, "install absent, then make all"},
	} {
		for _, installs := range []bool{true, false} {
			text, mend := "clients: [{name: x, kind: exec, "+withoutBraces(c.entry)+"}]", c.mend
			if installs {
				text = "install: make all\n" + text
			} else {
				mend = map[string]string{"make all": "install it; c.yaml names no command for it (install:)", "install absent, then make all": "install absent", "install tool, other, then make all": "install tool, other"}[mend]
			}
			m, err := ParseManifest("c.yaml", []byte(text))
			if err != nil {
				t.Fatal(c.name, err)
			}
			if diff := cmp.Diff([]Presence{{Missing: c.missing, Fix: mend}}, m.Presences(t.Context())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.name, diff)
			}
		}
	}
}

func withoutBraces(entry string) string {
	if entry[0] == '{' {
		return entry[1 : len(entry)-1]
	}
	word := entry[len("command: "):]
	return "command: '" + word + "'"
}
