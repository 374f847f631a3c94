package console

import (
	"runtime/debug"
	"testing"
)

func TestCalledAs(t *testing.T) {
	for arg0, want := range map[string]string{"bench": "bench", "./bin/bench": "./bin/bench", "/home/a b/bench": "'/home/a b/bench'"} {
		if got := CalledAs(arg0); got != want {
			t.Errorf("%s: %s, want %s", arg0, got, want)
		}
	}
	const path = "github.com/deadlinelab/deadlinelab/cmd/bench"
	for want, main := range map[string]debug.Module{"go run " + path: {Version: "v0.0.0-2026"}, "go run " + path + "@v1.2.0": {Version: "v1.2.0", Sum: "h1:x"}} {
		if got := goRun(&debug.BuildInfo{Path: path, Main: main}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
