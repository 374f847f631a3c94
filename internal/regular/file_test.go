package regular

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is no regular file, or too long, is refused by its name before a byte of
// it is read.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := Read(file, 5); string(data) != "12345" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	for name, want := range map[string]string{
		file:                       file + " has 5 bytes, expected at most 4",
		dir:                        dir + " is a directory, expected a file",
		os.DevNull:                 os.DevNull + " is no regular file",
		filepath.Join(dir, "none"): "none",
	} {
		if data, err := Read(name, 4); data != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q, %v, expected %q", data, err, want)
		}
	}
}
