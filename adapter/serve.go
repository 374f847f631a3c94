package adapter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// endPatience is for how long the end waits for calls that do not return and
// for a bench that does not read.
const endPatience = time.Second

// Serve speaks the protocol on in and out until the bench says shutdown, in
// ends or ctx does, and returns nil in the first two cases. hello says what the
// client is: Name and Version, its Settings and its Capabilities; Type,
// Protocol and Clock are filled in, and Language if it is empty. newClient is
// called once per client id, before its first call, with that call's operation.
//
// Each operation is a call in a goroutine of its own. Its context ends with a
// cause: ErrCancelled, ErrCallerDeadline or ErrShutdown. A panic in it is a
// client_error of that operation. An error of Serve says which line of the
// bench is wrong, what of hello is, or which operations did not end.
func Serve(ctx context.Context, in io.Reader, out io.Writer, hello Hello, newClient func(first Operation) Client) error {
	if err := complete(&hello); err != nil {
		return err
	}
	lines, stop := make(chan line), make(chan struct{})
	defer close(stop)
	go readLines(in, lines, stop)
	s := &server{hello: hello, newClient: newClient, out: newOutbox(out), calls: map[string]*call{}, ended: make(chan string), clients: map[string]*shared{}, gone: stop,
		tells: slices.Contains(hello.Capabilities, CanAttempts)}
	err := s.listen(ctx, lines)
	return errors.Join(err, s.end())
}

// complete fills in what Serve knows, and checks the rest.
func complete(h *Hello) error {
	h.Type, h.Protocol, h.Clock = TypeHello, Protocol, hostClock
	if h.Language == "" {
		h.Language = strings.Replace(runtime.Version(), "go", "Go ", 1)
	}
	if n, v := len(h.Name), len(h.Version); n < 1 || n > 64 || v < 1 || v > 64 {
		return fmt.Errorf("hello: Name %q, Version %q: expected 1 to 64 characters each, of the library or program under test", h.Name, h.Version)
	}
	for _, c := range h.Capabilities {
		if !slices.Contains(Capabilities, c) {
			return fmt.Errorf("hello: capability %q: expected one of %s", c, strings.Join(Capabilities, ", "))
		}
	}
	if len(h.Settings) > 32 {
		return fmt.Errorf("hello: %d settings, expected at most 32", len(h.Settings))
	}
	for name, value := range h.Settings {
		if len(value) > 200 {
			return fmt.Errorf("hello: setting %q has %d characters, expected at most 200", name, len(value))
		}
	}
	return nil
}

// server is one conversation with the bench. Only the goroutine of Serve
// touches its maps.
type server struct {
	hello     Hello
	newClient func(Operation) Client
	out       *outbox
	greeted   bool
	calls     map[string]*call // under way
	ended     chan string      // their ids as they end
	clients   map[string]*shared
	closing   sync.WaitGroup
	tells     bool          // of attempts
	gone      chan struct{} // nobody listens to ended any more
}

// listen does what the bench says until there is nothing more to do.
func (s *server) listen(ctx context.Context, lines <-chan line) error {
	for {
		select {
		case l := <-lines:
			if l.err == io.EOF {
				return nil
			}
			if l.err != nil {
				return l.err
			}
			if more, err := s.hear(ctx, l.message); !more {
				return err
			}
		case op := <-s.ended:
			delete(s.calls, op)
		case <-s.out.done:
			return fmt.Errorf("standard output: %w", s.out.err)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// hear does what one message says, and tells whether to go on.
func (s *server) hear(ctx context.Context, message any) (more bool, err error) {
	if _, hello := message.(Hello); hello == s.greeted {
		return false, errors.New("standard input: expected one hello, as the first line")
	}
	switch m := message.(type) {
	case Hello:
		s.greeted = true
		s.out.hello(s.hello)
	case Operation:
		err = s.start(ctx, m)
	case Ask:
		return s.ask(ctx, m)
	}
	return err == nil, err
}

func (s *server) ask(ctx context.Context, a Ask) (more bool, err error) {
	switch a.Type {
	case TypeShutdown:
		return false, nil
	case TypeHoldSlot:
		err = s.hold(ctx, a)
	case TypeRelease:
		if c := s.calls[a.Op]; c != nil {
			c.releaseAt(s.instant(a.AtNs))
		}
	case TypeCancel:
		if c := s.calls[a.Op]; c != nil { // else it has just ended
			c.cancel(ErrCancelled)
		}
	case TypeClose:
		s.forget(a.Client)
	}
	return err == nil, err
}

// instant is at_ns; now where no clock is shared, and for 0.
func (s *server) instant(ns int64) time.Time {
	if ns == 0 || hostClock == ClockNone {
		return time.Now()
	}
	return s.out.clock.at(ns)
}

func (s *server) client(id string) *shared {
	c := s.clients[id]
	if c == nil {
		c = &shared{}
		s.clients[id] = c
	}
	return c
}

// forget closes a client as soon as its calls have ended.
func (s *server) forget(id string) {
	if c := s.clients[id]; c != nil {
		delete(s.clients, id)
		s.closing.Go(c.close)
	}
}

// end lets the calls under way end, closes every client and writes what is left.
func (s *server) end() error {
	for _, c := range s.calls {
		c.cancel(ErrShutdown)
	}
	patience := time.NewTimer(endPatience)
	defer patience.Stop()
	for len(s.calls) > 0 {
		select {
		case op := <-s.ended:
			delete(s.calls, op)
		case <-patience.C:
			return s.abandon()
		}
	}
	for id := range s.clients {
		s.forget(id)
	}
	s.closing.Wait()
	close(s.out.closed)
	select {
	case <-s.out.done:
		return nil
	case <-patience.C:
		return errors.New("standard output: the bench does not read")
	}
}

func (s *server) abandon() error {
	ids := slices.Sorted(maps.Keys(s.calls))
	close(s.out.closed)
	return fmt.Errorf("%d operations did not end within %s of the shutdown: %s", len(ids), endPatience, strings.Join(ids, ", "))
}
