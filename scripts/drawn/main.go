// Command drawn writes scenarios that are drawn at random, and holds the report
// of a run of them against their plan: scripts/drawn.sh does both.
package main

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/drawn"
	"github.com/deadlinelab/deadlinelab/internal/predict"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

func main() {
	n := flag.Int("n", 200, "how many scenarios to write")
	seed := flag.Uint64("seed", 1, "seed of the first; each other has the next one")
	against := flag.String("against", "", "report of a run of DIR as CSV, to hold against the plan; writes nothing")
	flag.Parse()
	err := errors.New("found no DIR, or several, expected the folder of the scenarios")
	switch {
	case flag.NArg() != 1:
	case *against != "":
		err = hold(*against, flag.Arg(0))
	default:
		err = write(flag.Arg(0), *seed, *n)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// write draws until n scenarios have a plan: what hangs on a tie has none.
func write(dir string, seed uint64, n int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	names := make([]string, 0)
	for _, v := range variants.All() {
		names = append(names, v.Name)
	}
	for ; n > 0; seed++ {
		s := drawn.Scenario(seed, names)
		if _, err := runner.NewPlan([]*scenario.Scenario{s}, nil, runner.Options{Repeats: 1, Operations: 1}); err != nil {
			continue
		}
		text, err := scenario.Marshal(s)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, s.Name+".yaml"), text, 0o644); err != nil {
			return err
		}
		n--
	}
	return nil
}

// hold compares every row of a report with what its plan says, where it speaks,
// and prints the files of the scenarios that differ.
func hold(report, dir string) error {
	rows, err := readRows(report)
	if err != nil {
		return err
	}
	spoken, differ := 0, []string{}
	for _, row := range rows {
		c, err := compute(dir, row)
		if err != nil {
			return err
		}
		if paths := pathsOf(c); paths != nil {
			spoken++
			for _, text := range differences(row, paths) {
				differ = append(differ, filepath.Join(dir, row["scenario"]+".yaml"))
				fmt.Fprintf(os.Stderr, "differs: %s %s: %s\n", row["scenario"], row["variant"], text)
			}
		}
	}
	fmt.Fprintf(os.Stderr, "%d series, the plan speaks of %d, %d differences\n", len(rows), spoken, len(differ))
	for _, file := range slices.Compact(differ) {
		fmt.Println(file)
	}
	return nil
}

// readRows are the lines of a CSV by the names of their columns.
func readRows(path string) ([]map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) == 0 {
		return nil, fmt.Errorf("%s: found no table, expected what bench report --format csv writes: %w", path, err)
	}
	rows := make([]map[string]string, len(lines)-1)
	for i, line := range lines[1:] {
		rows[i] = map[string]string{}
		for k, name := range lines[0] {
			rows[i][name] = line[k]
		}
	}
	return rows, nil
}

func compute(dir string, row map[string]string) (predict.Computation, error) {
	s, err := scenario.Load(filepath.Join(dir, row["scenario"]+".yaml"))
	if err != nil {
		return predict.Computation{}, err
	}
	v, ok := variants.Find(row["variant"])
	if !ok {
		return predict.Computation{}, fmt.Errorf("%s: found no variant %q", row["scenario"], row["variant"])
	}
	return predict.Compute(s, v), nil
}

// pathsOf are those that an operation may take; nil where the plan does not say.
func pathsOf(c predict.Computation) []predict.Path {
	switch {
	case c.Chance != "":
		return nil
	case c.Scenario.CallersOf() == 1:
		return c.Paths
	case len(c.Paths) == 1:
		return c.Callers
	}
	return nil
}

// differences are what no operation of a series shows as planned: a machine that
// is busy draws single ones across a limit. It makes nothing earlier.
func differences(row map[string]string, paths []predict.Path) []string {
	var list []string
	for column, of := range map[string]func(predict.Path) string{
		"outcomes":        func(p predict.Path) string { return string(p.Outcome) },
		"attempts":        func(p predict.Path) string { return strconv.Itoa(p.Attempts) },
		"server_requests": func(p predict.Path) string { return strconv.Itoa(p.Requests) },
	} {
		shown := func(p predict.Path) bool { return strings.Contains(" "+row[column], " "+of(p)+":") }
		if row[column] != "" && !slices.ContainsFunc(paths, shown) {
			list = append(list, fmt.Sprintf("%s %s, planned %s", column, row[column], of(paths[0])))
		}
	}
	least := slices.MinFunc(paths, func(a, b predict.Path) int { return int(a.Duration - b.Duration) }).Duration
	if ms, err := strconv.ParseFloat(row["duration_min_ms"], 64); err == nil && ms < float64(least.Microseconds())/1000-1 {
		list = append(list, fmt.Sprintf("ends after %v ms, planned %s", ms, least))
	}
	return list
}
