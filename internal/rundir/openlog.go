package rundir

import (
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/regular"
)

// MaxLogBytes is the most that one log may hold, decompressed: some ten million
// events. A file that has or unpacks to more is refused, not read.
const MaxLogBytes = 4 << 30

// packings are the suffixes of packed logs. What bench writes is gzip; bzip2 makes
// event logs a third smaller.
var packings = []string{".gz", ".bz2"}

// OpenLog opens a log for reading: name itself, else packed, decompressed.
func (d *Dir) OpenLog(name string) (io.ReadCloser, error) {
	f, err := regular.Open(d.Join(name), MaxLogBytes)
	if err == nil {
		return f, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("log cannot be opened: %w", err)
	}
	for _, suffix := range packings {
		packed := d.Join(name) + suffix
		if f, err = regular.Open(packed, MaxLogBytes); err == nil {
			return unpack(packed, f, MaxLogBytes)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("log cannot be opened: %w", err)
		}
	}
	return nil, fmt.Errorf("%s holds neither %s nor %s.gz: the run is not whole", d.path, name, name)
}

func unpack(name string, f io.ReadCloser, limit int64) (io.ReadCloser, error) {
	if strings.HasSuffix(name, ".bz2") {
		return &unpacked{name: name, file: f, from: bzip2.NewReader(f), left: limit, limit: limit}, nil
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s is not compressed as gzip: %w", name, errors.Join(err, f.Close()))
	}
	return &unpacked{name: name, file: f, from: z, left: limit, limit: limit}, nil
}

// unpacked is a decompressed log that ends in an error beyond its limit.
type unpacked struct {
	name        string
	file        io.Closer
	from        io.Reader
	left, limit int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.from.Read(p)
	if u.left -= int64(n); u.left < 0 {
		return 0, fmt.Errorf("%s unpacks to more than %d bytes: this is no event log", u.name, u.limit)
	}
	if err != nil && err != io.EOF {
		return n, fmt.Errorf("%s cannot be unpacked, is it cut off? %w", u.name, err)
	}
	return n, err
}

func (u *unpacked) Close() error { return u.file.Close() }
