package extclient

import (
	"encoding/json"
	"fmt"
	"time"
)

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
	case <-s.outputClosed:
	case <-s.over:
	case <-time.After(time.Second):
		s.fail(fmt.Errorf("it closed its standard input and runs on, expected it to read until shutdown: %w", err))
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
