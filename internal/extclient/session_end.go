package extclient

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
)

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
		s.shutDown(shutdown)
		s.stopped = true
		close(s.over)
	}
	calls := s.calls
	s.calls = map[string]*flight{}
	return calls
}

// shutDown is the last that is written: shutdown, and the end of the input. A
// client that leaves no room for it is not told.
func (s *session) shutDown(shutdown bool) {
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
