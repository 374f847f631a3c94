package main

import (
	"bytes"
	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"os"
	"testing"
)

func TestDocgenRefuses(t *testing.T) {
	for _, args := range [][]string{nil, {"pages"}, {"waits", "absent"}} {
		var out, notes bytes.Buffer
		if err := run(console.NewStreams(nil, &out, &notes, os.Getenv), args); exit.CodeOf(err) != exit.Usage || out.Len() > 0 {
			t.Errorf("%q: %v, wrote %q", args, err, out.String())
		}
	}
}
