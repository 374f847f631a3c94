//go:build unix

package lab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadToken(t *testing.T) {
	for name, c := range map[string]struct {
		text        string
		mode        os.FileMode
		token, note string
		refused     string
	}{
		"its owner's alone":     {text: "secret\n", mode: 0o600, token: "secret"},
		"read-only":             {text: "secret", mode: 0o400, token: "secret"},
		"readable by the group": {text: "secret\n", mode: 0o640, token: "secret", note: "(mode 0640): chmod 600"},
		"readable by all":       {text: "secret\n", mode: 0o604, token: "secret", note: "(mode 0604): chmod 600"},
		"empty":                 {text: " \n", mode: 0o600, refused: "found 0 words"},
		"two words":             {text: "one two\n", mode: 0o600, refused: "found 2 words"},
		"two lines":             {text: "one\ntwo\n", mode: 0o600, refused: "found 2 words"},
		"no token at all":       {text: strings.Repeat("x", maxToken+1), mode: 0o600, refused: "has 4097 bytes, expected at most 4096"},
	} {
		path := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(path, []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		token, note, err := readToken(path)
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || token != c.token || !strings.Contains(note, c.note) || (note == "") != (c.note == "") {
			t.Errorf("%s: %q, %q, %v", name, token, note, err)
		}
	}
	if _, _, err := readToken(t.TempDir()); err == nil {
		t.Error("a directory is no token")
	}
}
