//go:build unix

package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/exit"
)

// fake is an executable that behaves as the shell script says instead of as a
// labserver.
func fake(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "labserver")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func readyLine(api int) string {
	return fmt.Sprintf(`echo '{"ready":true,"control":"http://127.0.0.1:1","api":%d,"version":"v0"}'`, api)
}

func TestLabserverThatDoesNotGetReady(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		parts  []string
		code   int
	}{
		"dies at once":        {"echo no port is free >&2; exit 64", []string{"ended before it was ready: exit status 64", "it wrote:\nno port is free"}, exit.Internal},
		"is killed":           {"kill -KILL $$", []string{"ended before it was ready: signal: killed"}, exit.Internal},
		"ends without a word": {"exit 0", []string{"ended before it was ready: exit status 0"}, exit.Internal},
		"says something else": {"echo hello; cat", []string{`found "hello" on its standard output, expected one JSON ready line`}, exit.Internal},
		"closes its output":   {"exec >/dev/null; cat", []string{"closed its standard output without a ready line"}, exit.Internal},
		"is of another API":   {readyLine(control.APIVersion+1) + "; cat", []string{"labserver v0 speaks API 2", "expects API 1"}, exit.Usage},
	} {
		_, err := StartLabserver(t.Context(), fake(t, c.script), "v0")
		if err == nil || exit.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, part := range c.parts {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q lacks %q", name, err, part)
			}
		}
	}
	if _, err := StartLabserver(t.Context(), filepath.Join(t.TempDir(), "absent"), "v0"); err == nil || !strings.Contains(err.Error(), "did not start") {
		t.Errorf("%v", err)
	}
}

// How a process ended is told with the end of what it wrote, however much that was.
func TestHowItEnded(t *testing.T) {
	p, err := StartLabserver(t.Context(), fake(t, readyLine(control.APIVersion)+"; yes 'line of no interest' | head -c 100000 >&2; echo the last words >&2; exit 3"), "v0")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	<-p.Done()
	text := p.Err().Error()
	if !strings.HasPrefix(text, "labserver ended: exit status 3; it wrote:\n") || !strings.HasSuffix(text, "the last words") || len(text) > 9<<10 {
		t.Errorf("%d bytes: %.80s", len(text), text)
	}
}

// The end of its standard input is its order to end; whoever does not obey is
// killed. Stop may be called again.
func TestStop(t *testing.T) {
	for name, script := range map[string]string{"obeys": "cat >/dev/null", "does not": "exec sleep 60"} {
		p, err := StartLabserver(t.Context(), fake(t, readyLine(control.APIVersion)+"; "+script), "v0")
		if err != nil {
			t.Fatal(err)
		}
		p.Stop()
		p.Stop()
		select {
		case <-p.Done():
		case <-time.After(time.Minute):
			t.Errorf("%s: still there", name)
		}
	}
}
