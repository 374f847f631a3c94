package rundir

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/regular"
)

// Log opens a log for appending; it is made if need be. Close reports what
// could not be written. It can be read through the same file, also when it has
// been removed.
func (d *Dir) Log(name string) (*os.File, error) {
	f, err := os.OpenFile(d.Join(name), os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("log cannot be opened: %w", err)
	}
	return f, nil
}

// maxFile bounds what is read as a whole, in bytes: a plan of many scenarios and
// a summary stay far below it.
const maxFile = 64 << 20

// ReadFile is a whole file of the directory.
func (d *Dir) ReadFile(name string) ([]byte, error) { return regular.Read(d.Join(name), maxFile) }

// WriteFile replaces a file as a whole: it is written without a name, or under a
// temporary one, synced and renamed, so that a reader finds the old one or the new
// one. write is called a second time where the first way is barred.
func (d *Dir) WriteFile(name string, write func(io.Writer) error) error {
	path := d.Join(name)
	if writeUnnamed(path, write) {
		return nil
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	if err := fillAndSync(temporary, write); err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, errors.Join(err, temporary.Close(), os.Remove(temporary.Name())))
	}
	if err := errors.Join(temporary.Close(), os.Rename(temporary.Name(), path)); err != nil {
		return fmt.Errorf("%s cannot be replaced: %w", path, errors.Join(err, os.Remove(temporary.Name())))
	}
	return nil
}

// fillAndSync writes f and makes it readable as other files are.
func fillAndSync(f *os.File, write func(io.Writer) error) error {
	buffered := bufio.NewWriterSize(f, 1<<16)
	err := write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = errors.Join(f.Chmod(0o644), f.Sync())
	}
	return err
}

// WriteRun writes run.json; schema and version are filled in when empty.
func (d *Dir) WriteRun(r Run) error {
	if r.Schema == "" {
		r.Schema, r.SchemaVersion = RunSchema, RunSchemaVersion
	}
	return d.WriteFile(RunFile, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(r)
	})
}

// ReadRun reads run.json. Another schema, a newer major version and an unknown
// status are errors; fields that this version does not know are not.
func (d *Dir) ReadRun() (Run, error) {
	path := d.Join(RunFile)
	data, err := d.ReadFile(RunFile)
	if err != nil {
		return Run{}, fmt.Errorf("%s is no run directory: %w", d.path, err)
	}
	var r Run
	if err := json.Unmarshal(data, &r); err != nil {
		return Run{}, fmt.Errorf("%s:%d: %w", path, lineOf(data, err), err)
	}
	if err := r.check(); err != nil {
		return Run{}, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// lineOf is where in data a JSON error lies.
func lineOf(data []byte, err error) int {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	offset := int64(0)
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &wrong):
		offset = wrong.Offset
	}
	return 1 + strings.Count(string(data[:min(offset, int64(len(data)))]), "\n")
}
