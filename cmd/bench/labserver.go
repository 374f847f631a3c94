package main

import (
	"io"
	"os"

	server "github.com/deadlinelab/deadlinelab/internal/labserver"
)

// labserver is the hidden subcommand that `bench run` starts of itself, so
// that bench and labserver can never be of two versions.
func labserver(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return server.Main(args, stdin, stdout, stderr, os.Getenv)
}
