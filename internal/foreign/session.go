package foreign

import (
	"encoding/json"
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

	outbox  chan []byte   // lines to be written; nil closes the client's input
	greeted chan struct{} // hello is there
	over    chan struct{} // broken or stopped
	deaf    chan struct{} // its output was read to the end
	threads sync.WaitGroup

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
		over: make(chan struct{}), deaf: make(chan struct{}), calls: map[string]*flight{}, past: map[string]bool{}, clients: map[string]bool{}}
	s.threads.Go(s.write)
	s.threads.Go(s.listen)
	s.threads.Go(s.watch)
	return s
}

// write is the only one that may wait for the client to read.
func (s *session) write() {
	for {
		select {
		case line := <-s.outbox:
			if line == nil {
				s.peer.in.Close()
				return
			}
			s.writeOne(line)
		case <-s.over:
			if !s.flush() {
				s.peer.in.Close()
				return
			}
		}
	}
}

// flush tells whether there is something to write after the session is over:
// only a session that was stopped still has its shutdown to say.
func (s *session) flush() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken == nil && len(s.outbox) > 0
}

func (s *session) writeOne(line []byte) {
	unread := time.AfterFunc(readWithin, func() {
		s.fail(fmt.Errorf("it has not read its standard input for %s: expected one thread that always reads it", readWithin))
	})
	defer unread.Stop()
	if _, err := s.peer.in.Write(line); err != nil {
		s.inputClosed(err)
	}
}

// inputClosed is a write that failed: mostly because the client has ended, and
// then how it ended is the better reason.
func (s *session) inputClosed(err error) {
	select {
	case <-s.deaf:
	case <-s.over:
	case <-time.After(time.Second):
		s.fail(fmt.Errorf("it does not read its standard input any more: %w", err))
	}
}

// send queues a message and never waits.
func (s *session) send(message any) {
	line, err := json.Marshal(message)
	if err != nil {
		s.fail(fmt.Errorf("the message for it cannot be written: %w", err))
		return
	}
	select {
	case s.outbox <- append(line, '\n'):
	default:
		s.fail(fmt.Errorf("%d lines wait to be read on its standard input: expected one thread that always reads it", mostWaiting))
	}
}

// listen reads what the client writes until its end.
func (s *session) listen() {
	defer close(s.deaf)
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
	case <-s.deaf:
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
	return s.take(what, o, arrived)
}

// take dispatches a message. Types that this version does not know are for a
// later one, except before hello.
func (s *session) take(what string, o object, arrived int64) error {
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

// fail ends the session: every call in flight is broken, and so is every later
// one. The first reason counts.
func (s *session) fail(why error) {
	s.mu.Lock()
	if s.broken != nil || s.stopped {
		s.mu.Unlock()
		return
	}
	s.broken = fmt.Errorf("client %s: %w%s", s.name, why, lastWords(s.peer.wrote()))
	calls, note := s.calls, s.note
	s.calls = map[string]*flight{}
	close(s.over)
	s.mu.Unlock()
	s.peer.kill()
	s.peer.in.Close()
	s.peer.out.Close()
	for _, c := range calls {
		c.finish(broke(s.broken.Error()))
	}
	if note != nil {
		note(s.broken.Error())
	}
}

// noteTo says who is told when the client breaks. What broke it before is known
// to whoever started it.
func (s *session) noteTo(note func(string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note = note
}

// whyBroken is what broke the session, nil while it is whole.
func (s *session) whyBroken() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken
}

// stop ends the client: it is asked to, its input is closed, and after a while
// it is killed with all its children.
func (s *session) stop() { s.dismiss(true) }

// dismiss is stop, with or without shutdown before the end of the input. It
// tells whether the client ended by itself.
func (s *session) dismiss(shutdown bool) (byItself bool) {
	for _, c := range s.part(shutdown) {
		c.finish(broke(errStopped.Error()))
	}
	timer := time.NewTimer(endWithin)
	defer timer.Stop()
	select {
	case <-s.peer.ended:
		byItself = s.whyBroken() == nil
	case <-timer.C:
	}
	s.peer.kill()
	s.peer.in.Close()
	s.peer.out.Close()
	s.threads.Wait()
	select {
	case <-s.peer.ended:
	case <-time.After(endWithin):
	}
	return byItself
}

// part makes the session take no more calls, and returns those in flight.
func (s *session) part(shutdown bool) map[string]*flight {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken == nil && !s.stopped {
		s.farewell(shutdown)
		s.stopped = true
		close(s.over)
	}
	calls := s.calls
	s.calls = map[string]*flight{}
	return calls
}

// farewell is the last that is written: shutdown, and the end of the input. A
// client that leaves no room for it is not told.
func (s *session) farewell(shutdown bool) {
	line, _ := json.Marshal(adapter.Ask{Type: adapter.TypeShutdown})
	last := [][]byte{append(line, '\n'), nil}
	if !shutdown {
		last = last[1:]
	}
	for _, l := range last {
		select {
		case s.outbox <- l:
		default:
		}
	}
}
