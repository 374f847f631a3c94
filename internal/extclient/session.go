package extclient

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/clock"
)

// What a client may take, and may write, before it counts as broken.
const (
	helloWithin   = 10 * time.Second // its hello after it was started
	startedWithin = 5 * time.Second  // operation_started after operation was sent
	readWithin    = 5 * time.Second  // one of our lines after it was written
	endWithin     = 2 * time.Second  // its end after shutdown
	leaveWithin   = time.Second      // an operation's end after the hard cap's cancel
	mostEvents    = 10_000           // in one operation
	mostBytes     = 64 << 20         // in all, and bytesPerCall for each call
	bytesPerCall  = 16 << 10         // a body at its longest, escaped
	mostWaiting   = 4096             // lines that wait to be written
)

// peer is the other end of a session.
type peer struct {
	in    io.WriteCloser  // its standard input
	out   io.ReadCloser   // its standard output
	ended <-chan struct{} // closed when it has ended
	how   func() string   // how it ended, once it has
	wrote func() string   // the end of what it wrote on its standard error
	flood <-chan struct{} // closed when that is too much; nil = never
	kill  func()          // with every process that it has started
}

// session speaks the protocol with one client. What breaks it ends the session
// for good: nothing else of the bench is touched by it.
type session struct {
	name  string // of the client, on the command line
	clk   clock.Clock
	peer  peer
	heard func(line []byte) // sees each line as it comes; nil = nobody does

	outbox       chan []byte   // lines to be written; nil closes the client's input
	greeted      chan struct{} // hello is there
	over         chan struct{} // broken or stopped
	outputClosed chan struct{} // its output was read to the end
	threads      sync.WaitGroup

	mu      sync.Mutex
	hello   adapter.Hello
	calls   map[string]*flight // in flight, by operation
	past    map[string]bool    // operations that ended, or were left behind: true = what else comes of them is ignored
	clients map[string]bool    // ids that the client knows
	bytes   int64
	broken  error
	note    func(string) // told when it breaks; nil = nobody is
	stopped bool
}

// errStopped is why a call cannot be made after the run's end.
var errStopped = errors.New("it was stopped")

// newSession begins to speak with a client; heard sees each line of its output.
func newSession(name string, clk clock.Clock, p peer, note func(string), heard func(line []byte)) *session {
	s := &session{name: name, clk: clk, peer: p, note: note, heard: heard, outbox: make(chan []byte, mostWaiting), greeted: make(chan struct{}),
		over: make(chan struct{}), outputClosed: make(chan struct{}), calls: map[string]*flight{}, past: map[string]bool{}, clients: map[string]bool{}}
	s.threads.Go(s.write)
	s.threads.Go(s.listen)
	s.threads.Go(s.watch)
	return s
}

// listen reads what the client writes until its end.
func (s *session) listen() {
	defer close(s.outputClosed)
	in := newLines(s.peer.out)
	for {
		line, err := in.next()
		arrived := s.clk.Now()
		if err == nil {
			err = s.hear(line, arrived)
		}
		var wrong *violation
		switch {
		case errors.As(err, &wrong):
			s.fail(fmt.Errorf("on its standard output: %w", err))
			return
		case err != nil:
			s.silent()
			return
		}
	}
}

// silent is the end of the client's output: most often that of the client.
func (s *session) silent() {
	select {
	case <-s.over:
	case <-s.peer.ended:
		s.fail(fmt.Errorf("it ended with %s, expected it to run until shutdown", s.peer.how()))
	case <-time.After(time.Second):
		s.fail(errors.New("it closed its standard output and runs on, expected it to answer until shutdown"))
	}
}

// watch notices a flood of errors, and a client that has ended while a process
// that it started keeps its output open.
func (s *session) watch() {
	select {
	case <-s.peer.ended:
	case <-s.peer.flood:
		s.fail(fmt.Errorf("a flood on its standard error: more than %d bytes", mostOutput))
	case <-s.over:
		return
	}
	select {
	case <-s.outputClosed:
	case <-s.over:
	case <-time.After(time.Second):
		s.fail(fmt.Errorf("it ended with %s while a process that it started holds its output open, expected it to run until shutdown", s.peer.how()))
	}
}

// hear takes one line that came in at arrived.
func (s *session) hear(line []byte, arrived int64) error {
	if s.heard != nil {
		s.heard(line)
	}
	if err := s.count(len(line) + 1); err != nil {
		return err
	}
	o, err := parseObject(line)
	if err != nil {
		return err
	}
	r, what := &reader{object: o}, ""
	if !r.text("type", &what) {
		r.missing("type", "the type of the message in "+excerpt(line))
	}
	if r.err != nil {
		return r.err
	}
	return s.handleLine(what, o, arrived)
}

// handleLine dispatches a message. Types that this version does not know are for a
// later one, except before hello.
func (s *session) handleLine(what string, o object, arrived int64) error {
	select {
	case <-s.greeted:
	default:
		if what != adapter.TypeHello {
			return violationf("its hello first", "a message of type %s", excerpt([]byte(what)))
		}
		return s.greet(o)
	}
	switch what {
	case adapter.TypeHello:
		return violationf("one hello", "another one")
	case adapter.TypeEvent:
		return s.event(o, arrived)
	}
	return nil
}

func (s *session) greet(o object) error {
	h, err := parseHello(o)
	if err != nil {
		return fmt.Errorf("in its hello: %w", err)
	}
	s.hello = h
	close(s.greeted)
	return nil
}

// count refuses a flood: what many calls may say grows with their number.
func (s *session) count(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes += int64(n)
	allowed := int64(mostBytes) + bytesPerCall*int64(len(s.calls)+len(s.past))
	if s.bytes > allowed {
		return violationf(fmt.Sprintf("at most %d for the calls so far", allowed), "a flood: more than %d bytes", allowed)
	}
	return nil
}

// can tells whether the client claims the capability.
func (s *session) can(capability string) bool {
	return slices.Contains(s.hello.Capabilities, capability)
}
