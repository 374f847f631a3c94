//go:build unix

package regular

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe that nobody writes to is refused, not waited for.
func TestPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(pipe, 1); err == nil || !strings.Contains(err.Error(), "is no regular file (p---------)") {
		t.Error(err)
	}
}
