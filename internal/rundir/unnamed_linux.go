package rundir

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// writeUnnamed writes a file that has no name until it is whole, so that a
// process which is killed meanwhile leaves nothing. Not every file system has
// such files: false when it did not come to that, and nothing was changed.
func writeUnnamed(path string, write func(io.Writer) error) bool {
	fd, err := unix.Open(filepath.Dir(path), unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return false
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	return fillAndSync(f, write) == nil && place(fd, path) == nil
}

// place gives an unnamed file its name. Where another file has it, the new one
// is called otherwise for a moment.
func place(fd int, path string) error {
	err := link(fd, path)
	if !errors.Is(err, unix.EEXIST) {
		return err
	}
	next := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"-"+rand.Text())
	if err := link(fd, next); err != nil {
		return err
	}
	if err := os.Rename(next, path); err != nil {
		return errors.Join(err, os.Remove(next))
	}
	return nil
}

func link(fd int, path string) error {
	return unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", fd), unix.AT_FDCWD, path, unix.AT_SYMLINK_FOLLOW)
}
