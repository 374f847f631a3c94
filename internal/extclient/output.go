package extclient

import (
	"bytes"
	"io"
	"strings"
	"time"
)

// Limits of what a process may write.
const (
	mostOutput = 64 << 20 // bytes on either stream; one that writes more is killed
	tailKept   = 4 << 10  // of the end of standard error, for error texts
	headKept   = 4 << 10  // of the beginning, for --version
	chunk      = 32 << 10
)

// output reads one stream of a process: it looks for a marker, keeps the
// beginning and the end, and nothing in between.
type output struct {
	marker []byte // empty = nothing is looked for
	limit  int64

	found    bool
	flooded  bool // more than limit was written
	head     []byte
	tail     []byte
	at       time.Time     // when the end was read; after finished
	finished chan struct{} // closed when nothing more is read
}

func newOutput(marker string, limit int64) *output {
	return &output{marker: []byte(marker), limit: limit, finished: make(chan struct{})}
}

// read reads to the end, to an error, or to the limit.
func (o *output) read(r io.Reader) {
	defer func() {
		o.at = time.Now()
		close(o.finished)
	}()
	// In front of every chunk stands the end of the one before, so that a marker
	// that is cut in two is found.
	buffer := make([]byte, len(o.marker)+chunk)
	carried, total := 0, int64(0)
	for {
		n, err := r.Read(buffer[carried : carried+chunk])
		total += int64(n)
		o.keep(buffer[carried : carried+n])
		carried = o.search(buffer[:carried+n])
		if o.flooded = total > o.limit; o.flooded || err != nil {
			return
		}
	}
}

// search looks for the marker and moves the end of what was read to the front.
func (o *output) search(read []byte) (carried int) {
	if len(o.marker) == 0 || o.found {
		return 0
	}
	o.found = bytes.Contains(read, o.marker)
	end := read[max(0, len(read)-len(o.marker)+1):]
	return copy(read, end)
}

func (o *output) keep(b []byte) {
	if room := headKept - len(o.head); room > 0 {
		o.head = append(o.head, b[:min(room, len(b))]...)
	}
	o.tail = append(o.tail, b...)
	if over := len(o.tail) - tailKept; over > 0 {
		o.tail = append(o.tail[:0], o.tail[over:]...)
	}
}

// end is the tail as text for a person: valid, without blanks around it.
func (o *output) end() string {
	return strings.TrimSpace(strings.ToValidUTF8(string(o.tail), "\uFFFD"))
}
