// Command docgen makes the pages and schemas that follow from runs and from the
// Go types. It is for those who maintain the project and no part of bench.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/extclient"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/tools/docgen/describe"
)

const usage = `usage: docgen waits [DIR]             docs/waits.md from a run of the ladder (results/ladder)
       docgen clients [DIR]           docs/clients.md from a run of the known clients (results/clients)
       docgen reproduction [DIR]      docs/reproduction.md from a run of the core scenarios (results/reference)
       docgen schema [FOLDER [PAGE]]  the JSON Schemas (schema), and the page of all keys (docs/files.md)
`

func main() {
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	flag.Parse()
	streams := console.NewStreams(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	if err := run(streams, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(exit.CodeOf(err))
	}
}

func run(s console.Streams, args []string) error {
	what := ""
	if len(args) > 0 {
		what, args = args[0], args[1:]
	}
	switch what {
	case "waits":
		return waitsPage(s, argument(args, 0, "results/ladder"))
	case "clients":
		return clientsPage(s, argument(args, 0, "results/clients"))
	case "reproduction":
		return reproductionPage(s, argument(args, 0, "results/reference"))
	case "schema":
		folder, page := argument(args, 0, "schema"), argument(args, 1, "docs/files.md")
		return errors.Join(writeSchemas(folder), writeKeys(page))
	}
	io.WriteString(s.Err, usage)
	return exit.Usagef("", "found %q, expected waits, clients, reproduction or schema", what)
}

func argument(args []string, i int, otherwise string) string {
	if i < len(args) {
		return args[i]
	}
	return otherwise
}

func waitsPage(s console.Streams, dir string) error {
	run, err := analysis.ReadJudged(s, dir)
	if err != nil {
		return err
	}
	ladder := scenario.Ladder()
	return Waits(s.Out, WaitsInput{Input: run.Input, Dir: clean(dir), Shipped: ladder, Changed: run.Changed(ladder)})
}

func clientsPage(s console.Streams, dir string) error {
	manifest, err := extclient.ReadManifest(lab.ClientsManifest)
	if err != nil {
		return err
	}
	run, err := analysis.ReadJudged(s, dir)
	if err != nil {
		return err
	}
	in := ClientPageInput{Input: run.Input, Dir: clean(dir)}
	for _, e := range manifest.Clients {
		in.Known = append(in.Known, KnownClient{Name: e.Name, Pair: e.Pair, Documentation: e.Documentation, Fixes: e.Fixes, Study: e.Study})
	}
	if info, err := os.Stat(filepath.Join(dir, "timelines")); err == nil && info.IsDir() {
		in.Timelines = "../" + clean(dir) + "/timelines" // as seen from docs/
	}
	return ClientPage(s.Out, in)
}

func reproductionPage(s console.Streams, dir string) error {
	run, err := analysis.ReadJudged(s, dir)
	if err != nil {
		return err
	}
	return Reproduction(s.Out, run.Summary, run.Operations)
}

func clean(dir string) string { return filepath.ToSlash(filepath.Clean(dir)) }

func writeSchemas(folder string) error {
	for _, name := range describe.Names() {
		text, err := describe.JSON(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name+".schema.json"), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func writeKeys(file string) error {
	text, err := describe.Page()
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}
