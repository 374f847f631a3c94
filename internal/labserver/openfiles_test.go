package labserver

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestConnectionsWithin(t *testing.T) {
	for files, want := range map[int]int{0: 1, 64: 1, 257: 1, 258: 2, 556: 300, 1 << 30: mostConnections} {
		if got := connectionsWithin(files); got != want {
			t.Errorf("%d files: %d connections, want %d", files, got, want)
		}
	}
}

// A selftest that could not open its sockets says so instead of failing faults.
func TestEnoughToProve(t *testing.T) {
	var r *refusal
	if err := enoughToProve(64); !errors.As(err, &r) || r.message != "only 64 files may be open at once (ulimit -n); selftest needs 288" ||
		r.hint != "raise the limit: `ulimit -n 288`" {
		t.Errorf("64 files: %v", err)
	}
	if err := enoughToProve(288); err != nil {
		t.Errorf("288 files: %v", err)
	}
}

func TestWarnOfFiles(t *testing.T) {
	for files, want := range map[int]string{64: "connections get 1; `ulimit -n 556` before", 555: "connections get 299;", 556: "", 1024: ""} {
		var said bytes.Buffer
		(&program{stderr: &said}).warnOfFiles(files)
		if (said.Len() == 0) != (want == "") || !strings.Contains(said.String(), want) {
			t.Errorf("%d files: %q, want %q", files, said.String(), want)
		}
	}
}
