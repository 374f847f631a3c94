package app_test

import (
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/deadlinelab/deadlinelab/"

// arrows says which packages of the module each package may import. A package
// that is not listed here fails the test: its place has to be decided first.
var arrows = map[string][]string{
	"adapter":             {"internal/httperror"},
	"internal/httperror":  {},
	"internal/nearest":    {},
	"internal/regular":    {},
	"internal/retryafter": {},
	"internal/clock":      {},
	"internal/memnet":     {},
	"internal/eventlog":   {"internal/clock"},
	"internal/fault":      {"internal/retryafter", "internal/eventlog"},
	"internal/scenario":   {"internal/fault", "internal/eventlog", "internal/nearest", "internal/regular", "scenarios"},
	"internal/control":    {"internal/eventlog", "internal/scenario"},
	"internal/drawn":      {"internal/fault", "internal/scenario"},
	"internal/labserver":  {"internal/socket", "internal/control", "internal/scenario", "internal/fault", "internal/eventlog", "internal/clock"},
	"internal/variants":   {"internal/httperror", "internal/retryafter", "internal/eventlog"},
	"internal/predict":    {"internal/scenario", "internal/fault", "internal/variants", "internal/eventlog", "internal/clock", "internal/textui"},
	"internal/instrument": {"internal/variants", "internal/eventlog", "internal/clock", "internal/httperror"},
	"internal/textui":     {},
	"internal/runner": {"adapter", "internal/control", "internal/scenario", "internal/fault", "internal/variants", "internal/eventlog", "internal/clock",
		"internal/httperror", "internal/nearest", "internal/predict", "internal/instrument", "internal/textui"},
	"internal/extclient":      {"adapter", "internal/variants", "internal/eventlog", "internal/clock", "internal/nearest", "internal/regular"},
	"internal/timeline":       {"internal/eventlog"},
	"internal/rundir":         {"internal/eventlog", "internal/regular"},
	"internal/doctor":         {"internal/clock", "internal/control", "internal/eventlog"},
	"scenarios":               {},
	"schema":                  {},
	"internal/wording":        {"internal/eventlog", "internal/scenario", "internal/textui", "internal/timeline"},
	"internal/verdict":        {"internal/eventlog", "internal/rundir", "internal/scenario", "internal/textui", "internal/timeline", "internal/wording"},
	"internal/chart":          {"internal/eventlog", "internal/textui", "internal/timeline", "internal/wording"},
	"internal/term":           {"internal/chart", "internal/eventlog", "internal/scenario", "internal/textui", "internal/timeline", "internal/wording"},
	"internal/view":           {"internal/chart", "internal/eventlog", "internal/rundir", "internal/scenario", "internal/textui", "internal/timeline", "internal/verdict", "internal/wording"},
	"internal/svg":            {"internal/chart", "internal/textui", "internal/timeline", "internal/verdict", "internal/view", "internal/wording"},
	"internal/report":         {"internal/chart", "internal/eventlog", "internal/rundir", "internal/svg", "internal/term", "internal/textui", "internal/timeline", "internal/verdict", "internal/view", "internal/wording"},
	"internal/compare":        {"internal/eventlog", "internal/textui", "internal/timeline", "internal/verdict"},
	"internal/serve":          {"internal/chart", "internal/eventlog", "internal/report", "internal/scenario", "internal/svg", "internal/textui", "internal/timeline", "internal/variants", "internal/verdict", "internal/wording"},
	"internal/exit":           {},
	"internal/socket":         {},
	"internal/console":        {"internal/exit", "internal/runner", "internal/textui"},
	"internal/analysis":       {"internal/compare", "internal/console", "internal/eventlog", "internal/exit", "internal/report", "internal/rundir", "internal/scenario", "internal/term", "internal/textui", "internal/timeline", "internal/variants", "internal/verdict", "internal/view"},
	"internal/lab":            {"adapter", "internal/analysis", "internal/clock", "internal/console", "internal/control", "internal/doctor", "internal/eventlog", "internal/exit", "internal/extclient", "internal/nearest", "internal/regular", "internal/rundir", "internal/runner", "internal/scenario", "internal/textui", "internal/timeline", "internal/variants"},
	"internal/conformance":    {"adapter", "internal/clock", "internal/console", "internal/control", "internal/eventlog", "internal/exit", "internal/extclient", "internal/fault", "internal/lab", "internal/nearest", "internal/runner", "internal/scenario", "internal/textui", "internal/timeline", "internal/variants"},
	"internal/fixture":        {"internal/chart", "internal/eventlog", "internal/fault", "internal/scenario", "internal/timeline"},
	"internal/fixture/inputs": {"internal/fault", "internal/fixture", "internal/rundir", "internal/scenario", "internal/timeline", "internal/verdict", "internal/view"},
}

// wiring may import everything.
var wiring = []string{"internal/app", "cmd/bench", "cmd/labserver", "scripts", "tools"}

// The packages depend on each other only along the arrows of docs/architecture.md.
func TestArrows(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, top := range []string{"adapter", "internal", "cmd", "scenarios", "schema", "scripts"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d os.DirEntry, err error) error {
			if err != nil || !d.IsDir() || d.Name() == "testdata" {
				return err
			}
			seen += checkPackage(t, root, path)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < len(arrows) {
		t.Errorf("only %d packages were looked at, %d have arrows", seen, len(arrows))
	}
}

// The page with the map names every package.
func TestArchitecturePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range arrows {
		if !strings.Contains(string(page), "\n"+name+"/ ") {
			t.Errorf("docs/architecture.md does not say what %s is", name)
		}
	}
}

func checkPackage(t *testing.T, root, dir string) int {
	pkg, err := build.ImportDir(dir, 0)
	if err != nil {
		return 0 // no Go files for this system
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.ToSlash(rel)
	if slices.ContainsFunc(wiring, func(w string) bool { return name == w || strings.HasPrefix(name, w+"/") }) {
		return 1
	}
	allowed, known := arrows[name]
	if !known {
		t.Errorf("%s: no arrows are written for this package", name)
	}
	for _, imported := range pkg.Imports {
		if in, ok := strings.CutPrefix(imported, module); ok && !slices.Contains(allowed, in) {
			t.Errorf("%s imports %s: not along an arrow", name, in)
		}
	}
	return 1
}
