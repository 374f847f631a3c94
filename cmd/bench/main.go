// Command bench measures whether an HTTP client keeps the time it promised its
// caller. See `bench --help`.
package main

import (
	"github.com/deadlinelab/deadlinelab/internal/console"
	"os"
)

// program is how bench was called, for the commands that its reports lead on to.
var program = "bench"

func main() {
	program = console.CalledAs(os.Args[0])
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
