// labserver is an upstream that scripts every wait of an HTTP client.
package main

import (
	"os"

	"github.com/deadlinelab/deadlinelab/internal/labserver"
)

func main() { os.Exit(labserver.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)) }
