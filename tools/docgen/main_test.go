package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/app"
)

func TestDocgenRefuses(t *testing.T) {
	for _, args := range [][]string{nil, {"pages"}, {"waits", "absent"}} {
		var out, notes bytes.Buffer
		if err := run(app.NewStreams(nil, &out, &notes, os.Getenv), args); app.CodeOf(err) != app.ExitUsage || out.Len() > 0 {
			t.Errorf("%q: %v, wrote %q", args, err, out.String())
		}
	}
}
