// Command client is every Go client that the bench knows, one per name. It
// speaks the adapter protocol on standard input and output.
//
//	client NAME
//	client --list
//	client NAME --once URL [budget_ms=1000 max_attempts=3 backoff_ms=100,200 total_ms=400 …]
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/deadlinelab/deadlinelab/adapter"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	one := len(args) >= 3 && args[1] == "--once"
	if len(args) != 1 && !one {
		fmt.Fprintln(stderr, "error: expected the name of a client\nhint: client --list shows them")
		return 64
	}
	if args[0] == "--list" {
		for _, k := range known {
			fmt.Fprintf(stdout, "%s\t%s\t%s\n", k.name, k.program(), k.version())
		}
		return 0
	}
	k, ok := find(args[0])
	if !ok {
		fmt.Fprintf(stderr, "error: there is no client %q\nhint: client --list shows them\n", args[0])
		return 64
	}
	if one {
		return once(k, args[2], args[3:], stdout, stderr)
	}
	if err := adapter.Serve(context.Background(), stdin, stdout, k.hello(), k.client); err != nil {
		fmt.Fprintln(stderr, "error:", err)
		return 1
	}
	return 0
}
