package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Latest is the name of the link, beside the runs, to the one completed last.
const Latest = "latest"

// Dir is a run directory.
type Dir struct {
	path string
	root string // where Latest lives; empty for a directory that was only opened
}

// Path is the directory as it was named.
func (d *Dir) Path() string { return d.path }

// Join is the path of a file in the directory.
func (d *Dir) Join(name string) string { return filepath.Join(d.path, name) }

// Create makes the directory of a new run: out, or root/<UTC>-<label> when out
// is empty. Two runs of one second get different names. out may exist but must
// be empty and writable, and of several runs that name it only one gets it;
// characters of label that do not belong in a file name become "-".
func Create(root, label, out string, now time.Time) (*Dir, error) {
	if out != "" {
		return createAt(root, out)
	}
	if err := os.MkdirAll(root, 0o777); err != nil {
		return nil, fmt.Errorf("%s cannot be made for results: %w", root, err)
	}
	name := filepath.Join(root, now.UTC().Format("20060102T150405Z")+"-"+fileName(label))
	path := name
	for n := 2; ; n++ {
		err := os.Mkdir(path, 0o777)
		if err == nil {
			return &Dir{path: path, root: root}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("%s cannot be made: %w", path, err)
		}
		path = fmt.Sprintf("%s-%d", name, n)
	}
}

func createAt(root, out string) (*Dir, error) {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return nil, fmt.Errorf("%s cannot be made: %w", out, err)
	}
	if err := checkEmpty(out); err != nil {
		return nil, err
	}
	if err := claim(out); err != nil {
		return nil, err
	}
	return &Dir{path: out, root: root}, nil
}

// claim makes the client's log, which only one of several runs that were given
// the same empty directory at once can do.
func claim(path string) error {
	f, err := os.OpenFile(filepath.Join(path, ClientLog), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s has been taken by another run just now, expected a new or an empty directory", path)
	case err != nil:
		return fmt.Errorf("%s is not writable: %w", path, err)
	}
	return f.Close()
}

// GiveBack takes the claim back of a run that has not begun, so that the next one
// can have the directory. An error leaves it taken.
func (d *Dir) GiveBack() { _ = os.Remove(d.Join(ClientLog)) }

func checkEmpty(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", path, err)
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s holds %d files already (%s), expected a new or an empty directory", path, len(entries), entries[0].Name())
	}
	return nil
}

// longestLabel keeps a directory's name far below the limit of file systems.
const longestLabel = 96

// fileName is label without what a file name should not hold.
func fileName(label string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-', r == '.', r == '+':
			return r
		}
		return '-'
	}, label)
	if safe == "" {
		return "run"
	}
	return safe[:min(len(safe), longestLabel)]
}

// Open opens the directory of an earlier run. path may be a link to one.
func Open(path string) (*Dir, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s does not exist, expected a run directory: `bench run` makes one", path)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %w", path, err)
	case !info.IsDir():
		return nil, fmt.Errorf("%s is a file, expected a run directory such as %s", path, filepath.Dir(path))
	}
	if _, err := os.Stat(filepath.Join(path, RunFile)); err != nil {
		return nil, fmt.Errorf("%s holds no %s, expected a run directory: `bench run` makes one", path, RunFile)
	}
	return &Dir{path: path}, nil
}

// Complete moves the link Latest to this run, in one step. A run outside the
// results root leaves it alone.
func (d *Dir) Complete() error {
	target, below := d.belowRoot()
	if !below {
		return nil
	}
	link := filepath.Join(d.root, Latest)
	if info, err := os.Lstat(link); err == nil && info.Mode()&fs.ModeSymlink == 0 {
		return fmt.Errorf("%s is no link, expected one to the run completed last: move it away", link)
	}
	next := filepath.Join(d.root, fmt.Sprintf(".%s-%d", Latest, os.Getpid()))
	if err := os.Symlink(target, next); err != nil {
		return fmt.Errorf("%s cannot be moved to this run: %w", link, err)
	}
	if err := os.Rename(next, link); err != nil {
		return fmt.Errorf("%s cannot be moved to this run: %w", link, errors.Join(err, os.Remove(next)))
	}
	return nil
}

// belowRoot is the way from the results root to the directory.
func (d *Dir) belowRoot() (string, bool) {
	if d.root == "" {
		return "", false
	}
	root, errRoot := filepath.Abs(d.root)
	path, errPath := filepath.Abs(d.path)
	if errRoot != nil || errPath != nil {
		return "", false
	}
	way, err := filepath.Rel(root, path)
	return way, err == nil && way != "." && filepath.IsLocal(way)
}
