// Command bench measures whether an HTTP client keeps the time it promised its
// caller. See `bench --help`.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
