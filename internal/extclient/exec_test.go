package extclient

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// startedExec makes a client of argv that is stopped with the test.
func startedExec(t *testing.T, argv []string, outcomes map[int]eventlog.Outcome) *program {
	t.Helper()
	v, stop, err := StartExec(t.Context(), "mine", argv, ExecOptions{Outcomes: outcomes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return v.External.Caller.(*program)
}

func callExec(ctx context.Context, x *program) variants.Ending {
	return x.Call(ctx, &variants.Call{Op: "op-1", Client: "client-1", URL: "http://127.0.0.1:1/op/op-1/", Marker: "deadlinelab:op-1",
		Policy: variants.Policy{Budget: time.Second}})
}

func TestCallEndings(t *testing.T) {
	outcomes := map[int]eventlog.Outcome{28: eventlog.DeadlineExceeded}
	for _, c := range []struct {
		name      string
		argv      []string
		outcome   eventlog.Outcome
		errorType string
		text      string // in the error
		broken    string // in the reason
	}{
		{name: "the marker came", argv: as("say", "deadlinelab:{id}", "0"), outcome: eventlog.Success},
		{name: "by the environment", argv: as("environment", "ID"), outcome: eventlog.Success},
		{name: "no marker", argv: as("say", "hello", "0"), outcome: eventlog.InvalidData, errorType: "exit status 0", text: "marker is not in its standard output"},
		{name: "marker on the other stream", argv: as("complain", "deadlinelab:{id}", "0"), outcome: eventlog.InvalidData, errorType: "exit status 0", text: "it wrote: deadlinelab:op-1"},
		{name: "a status that is mapped", argv: as("complain", "too late", "28"), outcome: eventlog.DeadlineExceeded, errorType: "exit status 28", text: "exit status 28; it wrote: too late"},
		{name: "a status that is not", argv: as("complain", "no", "3"), outcome: eventlog.ClientError, errorType: "exit status 3", text: "exit status 3, which --exec-outcome does not map; it wrote: no"},
		{name: "marker, then failure", argv: as("say", "deadlinelab:{id}", "28"), outcome: eventlog.DeadlineExceeded, errorType: "exit status 28"},
		{name: "garbage", argv: as("say", "\x01\xff\xfe{", "0"), outcome: eventlog.InvalidData, errorType: "exit status 0"},
		{name: "too much output", argv: as("flood", "1"), outcome: eventlog.ClientError, text: "wrote more than 1 MiB to its standard output", broken: "wrote more than 1 MiB to its standard output"},
		{name: "too much noise", argv: as("flood", "2"), outcome: eventlog.ClientError, text: "wrote more than 1 MiB to its standard error", broken: "wrote more than 1 MiB to its standard error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := startedExec(t, c.argv, outcomes)
			x.limit = 1 << 20
			e := callExec(t.Context(), x)
			if e.Outcome != c.outcome || e.ErrorType != c.errorType || !strings.Contains(e.Error, c.text) || (e.Error == "") != (c.outcome == eventlog.Success) {
				t.Errorf("%+v, want %s, type %q, text with %q", e, c.outcome, c.errorType, c.text)
			}
			if e.Broken != c.broken {
				t.Errorf("broken %q, want %q", e.Broken, c.broken)
			}
		})
	}
}

// t0 comes before the process is there, the end after it has gone.
func TestCallTimes(t *testing.T) {
	x := startedExec(t, as("say", "deadlinelab:{id}", "0"), nil)
	var began []time.Time
	e := x.Call(t.Context(), &variants.Call{Op: "op-1", Marker: "deadlinelab:op-1", Began: func(t0 time.Time) { began = append(began, t0) }})
	if len(began) != 1 || !e.At.After(began[0]) {
		t.Errorf("began %v, ended %v", began, e.At)
	}
}

// The caller's cancel is a request, and the client may use its time.
func TestCancel(t *testing.T) {
	for name, c := range map[string]struct {
		argv      []string
		outcome   eventlog.Outcome
		errorType string
	}{
		"dies of it":      {as("rest"), eventlog.Cancelled, "signal: terminated"},
		"cleans up":       {as("on-term", "7"), eventlog.Cancelled, "exit status 7"},
		"finishes anyway": {as("on-term", "0"), eventlog.Success, ""},
	} {
		t.Run(name, func(t *testing.T) {
			x := startedExec(t, append(c.argv, "{url}"), nil)
			ctx, cancel := context.WithCancelCause(t.Context())
			ready := readyFile(t)
			go func() {
				ready()
				cancel(variants.ErrCancelled)
			}()
			e := callExec(ctx, x)
			if e.Outcome != c.outcome || e.ErrorType != c.errorType || e.Broken != "" {
				t.Errorf("%+v, want %s, type %q", e, c.outcome, c.errorType)
			}
		})
	}
}

// readyFile makes a file name known to the test's processes and returns a
// function that waits until one of them has written it.
func readyFile(t *testing.T) (await func() string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "ready")
	t.Setenv("FOREIGN_TEST_READY", name)
	return func() string {
		for {
			if data, err := os.ReadFile(name); err == nil && len(data) > 0 {
				return string(data)
			}
			time.Sleep(time.Millisecond)
		}
	}
}

// A process that ignores the cancel lives until its client is given up.
func TestForget(t *testing.T) {
	x := startedExec(t, as("ignore-term"), nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	ready := readyFile(t)
	go func() {
		ready()
		cancel(variants.ErrCancelled)
		x.Forget("another client")
		x.Forget("client-1")
	}()
	if e := callExec(ctx, x); e.Outcome != eventlog.Cancelled || e.Broken != "" {
		t.Errorf("%+v", e)
	}
}

func TestCap(t *testing.T) {
	x := startedExec(t, as("ignore-term"), nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	ready := readyFile(t)
	go func() {
		ready()
		cancel(variants.ErrCap)
	}()
	if e := callExec(ctx, x); e.Outcome != eventlog.CapReached || e.ErrorType != "signal: killed" || e.Broken != "" {
		t.Errorf("%+v", e)
	}
}

func TestNotStarted(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, []byte("no program"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"no-such-program-anywhere", plain, t.TempDir()} {
		if _, _, err := StartExec(t.Context(), "mine", []string{name}, ExecOptions{}); err == nil || !strings.Contains(err.Error(), "cannot be started") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A program that goes away in the middle of a run breaks its own operations.
func TestStartsNoMore(t *testing.T) {
	x := startedExec(t, as("say", "x", "0"), nil)
	x.argv = []string{filepath.Join(t.TempDir(), "gone")}
	if e := callExec(t.Context(), x); !strings.HasPrefix(e.Broken, "could not be started: ") || e.Outcome != eventlog.ClientError {
		t.Errorf("%+v", e)
	}
}

func TestStopped(t *testing.T) {
	x := startedExec(t, as("rest"), nil)
	ready := readyFile(t)
	go func() {
		ready()
		x.stop()
	}()
	if e := callExec(t.Context(), x); e.Outcome != eventlog.Cancelled {
		t.Errorf("running: %+v", e)
	}
	if e := callExec(t.Context(), x); !strings.Contains(e.Broken, "the run is over") {
		t.Errorf("started afterwards: %+v", e)
	}
}

func TestVersion(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"first line":  {"echo; echo 'GNU mine 1.2'; echo more", "GNU mine 1.2"},
		"with name":   {"echo 'mine  1.2 (mine)'", "1.2 (mine)"},
		"failure":     {"echo 'mine 1.2'; exit 1", ""},
		"silence":     {"exit 0", ""},
		"a long line": {"printf %0300d 1", strings.Repeat("0", 200)},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "mine")
			if err := os.WriteFile(file, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			v, stop, err := StartExec(t.Context(), "mine", []string{file}, ExecOptions{})
			if err != nil {
				missing(t, "no shell here: ", err)
			}
			defer stop()
			if v.External.Version != c.want || v.External.Program != "mine" {
				t.Errorf("program %q, version %q, want %q", v.External.Program, v.External.Version, c.want)
			}
		})
	}
}
