package report

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/view"
)

// File is one of several that a format makes.
type File struct {
	Name string // no folder
	Data []byte
}

// fileSets are the formats that make several files when they are given a
// directory; on a stream they write what Register has for them.
var fileSets = map[string]func(view.Input) ([]File, error){}

// RegisterFiles adds what a format makes of a directory; the format itself
// must be registered as well. A duplicate name panics.
func RegisterFiles(name string, make func(view.Input) ([]File, error)) {
	if _, dup := fileSets[name]; dup {
		panic("report: files of format " + name + " registered twice")
	}
	fileSets[name] = make
}

// SeveralFiles tells whether a format fills a directory.
func SeveralFiles(format string) bool { return fileSets[format] != nil }

// Files makes the files of a format that fills a directory.
func Files(format string, in view.Input) ([]File, error) {
	files, err := fileSets[format](in)
	if err != nil {
		return nil, fmt.Errorf("report as %s: %w", format, err)
	}
	return files, nil
}
