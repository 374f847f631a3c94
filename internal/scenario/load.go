package scenario

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/nearest"
	"github.com/deadlinelab/deadlinelab/internal/regular"
	"github.com/deadlinelab/deadlinelab/scenarios"
)

// ErrUnknown is in the error of a name that no embedded scenario has.
var ErrUnknown = errors.New("no such scenario")

// coreOrder is that of the study, then what was added to it.
var coreOrder = []string{"healthy", "semaphore_wait", "slow_headers", "slow_body", "pool_wait", "transient_error",
	"persistent_error", "cancel_in_http", "cancel_in_backoff", "hang", "backoff_holds_slot"}

// Load reads a scenario: an embedded one by name, or a file by its path. A
// path contains a slash or ends in .yaml or .json.
func Load(nameOrPath string) (*Scenario, error) {
	if isPath(nameOrPath) {
		return loadFile(nameOrPath)
	}
	return ByName(nameOrPath)
}

func isPath(s string) bool {
	return strings.ContainsAny(s, "/"+string(filepath.Separator)) || slices.Contains([]string{".yaml", ".json"}, filepath.Ext(s))
}

func loadFile(name string) (*Scenario, error) {
	data, err := regular.Read(name, maxBytes)
	if err != nil {
		return nil, fmt.Errorf("scenario file: %w; expected a readable YAML file, check the path", err)
	}
	return Parse(name, data)
}

// ByName reads an embedded scenario. The error of an unknown name is an
// ErrUnknown and holds the nearest one.
func ByName(name string) (*Scenario, error) {
	known := embedded()
	for _, file := range known {
		if baseName(file) == name {
			return parseEmbedded(file)
		}
	}
	all := make([]string, len(known))
	for i, file := range known {
		all[i] = baseName(file)
	}
	if meant := didYouMean(name, all); meant != "" { // the list of all would bury it
		return nil, fmt.Errorf("%w: found %q%s", ErrUnknown, short(name), meant)
	}
	return nil, fmt.Errorf("%w: found %q, expected one of %d, such as %s", ErrUnknown, short(name), len(all), strings.Join(all[:3], ", "))
}

func didYouMean(name string, all []string) string {
	if len(name) > 64 {
		return ""
	}
	return nearest.DidYouMean(name, all)
}

// All reads every embedded scenario: the core, then the folder of each rung.
func All() []*Scenario { return parseAll(embedded()) }

// Core reads the embedded scenarios at the top of the folder.
func Core() []*Scenario {
	return parseAll(slices.DeleteFunc(embedded(), func(file string) bool { return path.Dir(file) != "." }))
}

// parseAll panics on an error: the files are part of the program, and a test
// reads them all.
func parseAll(files []string) []*Scenario {
	all := make([]*Scenario, len(files))
	for i, file := range files {
		s, err := parseEmbedded(file)
		if err != nil {
			panic(err)
		}
		all[i] = s
	}
	return all
}

// embedded lists the files, in the order of All.
func embedded() []string {
	var files []string
	err := fs.WalkDir(scenarios.Files, ".", func(file string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(file) == ".yaml" && !d.IsDir() {
			files = append(files, file)
		}
		return err
	})
	if err != nil {
		panic(err)
	}
	slices.SortFunc(files, inOrder)
	return files
}

func inOrder(a, b string) int {
	if da, db := path.Dir(a), path.Dir(b); da != db {
		return compareFolders(da, db)
	}
	if ra, rb := coreRank(a), coreRank(b); ra != rb {
		return ra - rb
	}
	return strings.Compare(a, b)
}

// compareFolders puts the core first, then each rung in its place.
func compareFolders(a, b string) int {
	if a == "." || b == "." {
		return strings.Compare(a, b) // "." is below every folder's name
	}
	return CompareRungs(path.Base(a), path.Base(b))
}

func coreRank(file string) int {
	if i := slices.Index(coreOrder, baseName(file)); i >= 0 && path.Dir(file) == "." {
		return i
	}
	return len(coreOrder)
}

func baseName(file string) string { return strings.TrimSuffix(path.Base(file), ".yaml") }

// parseEmbedded also holds the file to its name, and takes the rung from its
// folder.
func parseEmbedded(file string) (*Scenario, error) {
	data, err := scenarios.Files.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s, err := Parse("scenarios/"+file, data)
	if err != nil {
		return nil, err
	}
	if s.Rung == "" {
		s.Rung = rungOf(file)
	}
	return s, sameName(s, baseName(file))
}

func rungOf(file string) string {
	if dir := path.Dir(file); dir != "." {
		return path.Base(dir)
	}
	return CoreRung
}

func sameName(s *Scenario, base string) error {
	if s.Name == base {
		return nil
	}
	return Errors{{File: s.File, Position: s.Pos["name"], Key: "name", Found: quoted(s.Name), Want: quoted(base) + ", the file's name", Next: "rename one of the two"}}
}
