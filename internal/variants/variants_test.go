package variants

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Every registered variant shows its source, and the source registers it.
func TestSourceOfEveryVariant(t *testing.T) {
	for _, v := range All() {
		text, err := Source(v.Name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, fmt.Sprintf("%q", v.Name)) {
			t.Errorf("%s.go does not name its variant", v.Name)
		}
		if lines := strings.Count(text, "\n"); lines > 60 {
			t.Errorf("%s.go has %d lines: it must fit a slide", v.Name, lines)
		}
	}
	if _, err := Source("nobody"); err == nil || !strings.Contains(err.Error(), "operation_deadline") {
		t.Errorf("Source(nobody) = %v: want the known names", err)
	}
}

// C and D hold the same statements except for the one that takes the deadline.
func TestDifferenceOfCAndD(t *testing.T) {
	c, d := statements(t, "C"), statements(t, "D")
	onlyC, onlyD := without(c, d), without(d, c)
	if got := strings.Join(onlyC, "\n"); got != "ctx, cancel := context.WithDeadlineCause(ctx, time.Now().Add(env.Policy.Budget), ErrOperationDeadline)" {
		t.Errorf("only in C: %s", got)
	}
	if got := strings.Join(onlyD, "\n"); got != "ctx, cancel := context.WithDeadlineCause(ctx, env.Start.Add(env.Policy.Budget), ErrOperationDeadline)" {
		t.Errorf("only in D: %s", got)
	}
}

func statements(t *testing.T, label string) []string {
	t.Helper()
	text, err := Source(label)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(text, "(ctx context.Context, env *Env) (Response, error) {\n")
	var lines []string
	for line := range strings.Lines(body) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

func without(lines, others []string) []string {
	var only []string
	for _, line := range lines {
		if !strings.Contains("\n"+strings.Join(others, "\n")+"\n", "\n"+line+"\n") {
			only = append(only, line)
		}
	}
	return only
}

// A copy of every variant compiles beside the original and is registered under its own name.
func TestCopyCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the package")
	}
	overlay := map[string]string{}
	dir := t.TempDir()
	for i, v := range All() {
		name := fmt.Sprintf("mine_%d", i)
		text, err := Copy(v.Name, name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "Label:") || strings.Contains(string(text), "Listed:") {
			t.Errorf("the copy of %s keeps a letter, or takes part where it is listed only", v.Name)
		}
		file := filepath.Join(dir, name+".go")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		overlay[name+".go"] = file
	}
	vetWith(t, dir, overlay)
}

func vetWith(t *testing.T, dir string, overlay map[string]string) {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var pairs []string
	for name, file := range overlay {
		pairs = append(pairs, fmt.Sprintf("%q:%q", filepath.Join(here, name), file))
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, []byte(`{"Replace":{`+strings.Join(pairs, ",")+`}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-overlay", list, ".").CombinedOutput(); err != nil {
		t.Errorf("the copies do not compile: %s", out)
	}
}

func TestCopyRefuses(t *testing.T) {
	const wrong, exists, file, several, identifier, platform = "want up to", "exists already, in internal/variants/", "exists already and is no variant", "stands for other variants",
		"Go identifier that is taken", "with this ending"
	for name, why := range map[string]string{"": wrong, "Mine": wrong, "a-b": wrong, "../x": wrong, "mine_": wrong, strings.Repeat("a", longestName+1): wrong,
		"mine_linux": platform, "mine_test": platform, "operation_deadline": exists, "single_attempt": exists, "retry": file, "attempt": file,
		"d": several, "all": several, "func": identifier, "string": identifier, "context": identifier, "init": identifier, "camel": identifier,
		"errors": identifier, "http": identifier, "eventlog": identifier, "slices": identifier} {
		if _, err := Copy("D", name); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("Copy(D, %q): %v, want %q", name, err, why)
		}
	}
	if _, err := Copy("nobody", "mine"); err == nil {
		t.Error("Copy of an unknown variant was accepted")
	}
}

func TestOutcomeOf(t *testing.T) {
	wrap := func(err error) error { return &url.Error{Op: "Get", URL: "http://x", Err: err} }
	for _, c := range []struct {
		name string
		err  error
		want eventlog.Outcome
	}{
		{"nil", nil, eventlog.Success},
		{"total", wrap(&LimitError{Limit: "total_ms"}), eventlog.AttemptTimeout},
		{"silence", wrap(&LimitError{Limit: "sock_read_ms"}), eventlog.AttemptTimeout},
		{"pool", wrap(&LimitError{Limit: "connect_ms"}), eventlog.ConnectTimeout},
		{"dial", wrap(&LimitError{Limit: "sock_connect_ms"}), eventlog.ConnectTimeout},
		{"refused", wrap(&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}), eventlog.ConnectError},
		{"lookup", wrap(&net.DNSError{Name: "nowhere"}), eventlog.ConnectError},
		{"reset", wrap(&net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}), eventlog.TransportError},
		{"truncated", io.ErrUnexpectedEOF, eventlog.TransportError},
		{"malformed", errors.New("malformed HTTP response"), eventlog.TransportError},
		{"status", &StatusError{Status: 503}, eventlog.UnexpectedStatus},
		{"cancel", wrap(context.Canceled), eventlog.Cancelled},
		{"cause", ErrCancelled, eventlog.Cancelled},
		{"deadline", context.DeadlineExceeded, eventlog.DeadlineExceeded},
		{"cap", ErrCap, eventlog.CapReached},
		{"own", fmt.Errorf("wrapped: %w", &Error{Outcome: eventlog.InvalidData, Err: io.EOF}), eventlog.InvalidData},
	} {
		if got, _ := OutcomeOf(c.err); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// The cause decides, and the identity that reaches the caller is the standard one.
func TestStopped(t *testing.T) {
	for _, c := range []struct {
		cause    error
		want     eventlog.Outcome
		identity error
	}{
		{ErrCancelled, eventlog.Cancelled, context.Canceled},
		{ErrOperationDeadline, eventlog.DeadlineExceeded, context.DeadlineExceeded},
		{ErrAttemptTimeout, eventlog.AttemptTimeout, context.DeadlineExceeded},
		{ErrCap, eventlog.CapReached, context.Canceled},
		{&LimitError{Limit: "connect_ms", After: time.Second}, eventlog.ConnectTimeout, nil},
		{nil, eventlog.Cancelled, context.Canceled},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(c.cause)
		err := Stopped(ctx)
		if got, _ := OutcomeOf(err); got != c.want || c.identity != nil && !errors.Is(err, c.identity) {
			t.Errorf("cause %v: %v (%s), want %s", c.cause, err, got, c.want)
		}
	}
	if err := Stopped(t.Context()); err != nil {
		t.Errorf("Stopped before the end: %v", err)
	}
}

// A duplicate name or letter panics.
func TestRegisterDuplicate(t *testing.T) {
	for _, v := range []Variant{{Name: "operation_deadline"}, {Name: "other", Label: "D"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Register(%+v) did not panic", v)
				}
			}()
			Register(v)
		}()
	}
}
