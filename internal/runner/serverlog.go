package runner

import (
	"io"
	"sync"
)

// serverLog writes lines in the background: those who read the server's events
// never wait for the disk.
type serverLog struct {
	w       io.Writer
	wake    chan struct{} // there is something to write
	flushed chan error

	mu      sync.Mutex
	pending []byte
	closed  bool
}

func newServerLog(w io.Writer) *serverLog {
	l := &serverLog{w: w, wake: make(chan struct{}, 1), flushed: make(chan error, 1)}
	go func() { l.flushed <- l.write() }()
	return l
}

// add takes one whole line.
func (l *serverLog) add(line []byte) {
	l.mu.Lock()
	l.pending = append(l.pending, line...)
	l.mu.Unlock()
	l.poke()
}

func (l *serverLog) poke() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// close writes what is left and returns the first error of the writer.
func (l *serverLog) close() error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.poke()
	return <-l.flushed
}

// write goes on after an error only to empty the queue: the run is not stopped by its log.
func (l *serverLog) write() error {
	var failed error
	var lines []byte
	for range l.wake {
		var closed bool
		lines, closed = l.take(lines[:0])
		if failed == nil && len(lines) > 0 {
			_, failed = l.w.Write(lines)
		}
		if closed {
			return failed
		}
	}
	return failed
}

// take swaps the queue with an empty buffer.
func (l *serverLog) take(empty []byte) ([]byte, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := l.pending
	l.pending = empty
	return lines, l.closed
}
