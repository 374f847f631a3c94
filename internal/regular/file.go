// Package regular reads regular files, and no more of them than a limit. A
// device or a pipe would be read without end, or waited for.
package regular

import (
	"fmt"
	"io"
	"os"
)

// Open opens a regular file of at most limit bytes; its size is known before
// anything is read.
func Open(name string, limit int64) (*os.File, error) {
	info, err := os.Stat(name) // first: to open a pipe is to wait for its writer
	if err != nil {
		return nil, err
	}
	if err := check(name, info, limit); err != nil {
		return nil, err
	}
	return os.Open(name)
}

func check(name string, info os.FileInfo, limit int64) error {
	switch {
	case info.IsDir():
		return fmt.Errorf("%s is a directory, expected a file", name)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file (%s): save what it gives in a file and name that", name, info.Mode().Type())
	case info.Size() > limit:
		return fmt.Errorf("%s has %d bytes, expected at most %d", name, info.Size(), limit)
	}
	return nil
}

// Read is a whole regular file of at most limit bytes, also where it grows
// meanwhile.
func Read(name string, limit int64) ([]byte, error) {
	f, err := Open(name, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s has more than the %d bytes that are expected at most", name, limit)
	}
	return data, err
}
