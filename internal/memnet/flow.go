package memnet

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// BufferSize is how many unread bytes one direction of a connection holds
// before Write waits.
const BufferSize = 64 << 10

// flow is one direction of a connection: what its writer has written and its
// reader has not yet read, and how each of the two has ended.
type flow struct {
	turn chan struct{} // held by the one Write at work

	mu      sync.Mutex
	data    []byte
	changed signal

	readUntil, writeUntil      time.Time // deadlines
	readerClosed, writerClosed bool      // Close was called on this end
	fin                        bool      // no more will come
	reset                      bool      // no more will come, and that is an error
}

func newFlow() *flow { return &flow{turn: make(chan struct{}, 1)} }

// update changes the state and wakes whoever waits for it.
func (f *flow) update(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
	f.changed.announce()
}

// read returns what is there, or waits for it.
func (f *flow) read(p []byte) (int, error) {
	for {
		n, change, until, err := f.tryRead(p)
		if change == nil {
			return n, err
		}
		await(change, until)
	}
}

// tryRead returns a change to wait for when there is nothing to return yet.
func (f *flow) tryRead(p []byte) (n int, change <-chan struct{}, until time.Time, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.readerClosed:
		return 0, nil, until, net.ErrClosed
	case passed(f.readUntil):
		return 0, nil, until, os.ErrDeadlineExceeded
	case len(p) == 0:
		return 0, nil, until, nil
	case len(f.data) > 0:
		return f.take(p), nil, until, nil
	case f.reset:
		return 0, nil, until, os.NewSyscallError("read", syscall.ECONNRESET)
	case f.fin:
		return 0, nil, until, io.EOF
	}
	return 0, f.changed.next(), f.readUntil, nil
}

// take moves buffered bytes to p. The caller holds mu.
func (f *flow) take(p []byte) int {
	n := copy(p, f.data)
	f.data = f.data[:copy(f.data, f.data[n:])]
	f.changed.announce()
	return n
}

// write returns when everything is in the buffer; one Write at a time, so that
// two never mix.
func (f *flow) write(p []byte) (written int, err error) {
	f.turn <- struct{}{}
	defer func() { <-f.turn }()
	for {
		n, change, until, err := f.tryWrite(p[written:])
		written += n
		if err != nil || written == len(p) {
			return written, err
		}
		if change != nil {
			await(change, until)
		}
	}
}

func (f *flow) tryWrite(p []byte) (n int, change <-chan struct{}, until time.Time, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.writerClosed:
		return 0, nil, until, net.ErrClosed
	case passed(f.writeUntil):
		return 0, nil, until, os.ErrDeadlineExceeded
	case f.reset:
		return 0, nil, until, os.NewSyscallError("write", syscall.ECONNRESET)
	case f.fin || f.readerClosed:
		return 0, nil, until, os.NewSyscallError("write", syscall.EPIPE)
	case len(f.data) == BufferSize && len(p) > 0:
		return 0, f.changed.next(), f.writeUntil, nil
	}
	n = min(len(p), BufferSize-len(f.data))
	f.data = append(f.data, p[:n]...)
	f.changed.announce()
	return n, nil, until, nil
}
