package main

import (
	"io"
	"os"
	"sync/atomic"

	"github.com/deadlinelab/deadlinelab/internal/extclient"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	server "github.com/deadlinelab/deadlinelab/internal/labserver"
)

// labserver is the hidden subcommand that `bench run` starts of itself, so
// that bench and labserver can never be of two versions. It outlives a bench
// that was killed, and then takes with it what bench could not end any more.
func labserver(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	parent := &exitReport{from: stdin}
	code := server.Main(args, parent, stdout, stderr, os.Getenv)
	if !parent.said.Load() {
		extclient.KillLeft(os.Getenv(lab.MarkEnv))
	}
	return code
}

// exitReport notes whether bench said anything before its end of the pipe was
// closed: one that was killed did not.
type exitReport struct {
	from io.Reader
	said atomic.Bool
}

func (f *exitReport) Read(b []byte) (int, error) {
	n, err := f.from.Read(b)
	if n > 0 {
		f.said.Store(true)
	}
	return n, err
}
