package extclient

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// AdapterAtOnce is how many calls an adapter gets at once. Many clients run in
// one thread: with more calls in flight they would measure their own queue for
// the processor. Calls of a second, 16 at once, make a series of 90 in 6 s.
const AdapterAtOnce = 16

// AdapterOptions are what an adapter is started with.
type AdapterOptions struct {
	Clock   clock.Clock  // of the run
	Version string       // of the bench, for the hello
	Note    func(string) // told once, in one line, when the client breaks; nil = nobody is told
	AtOnce  int          // most calls in flight; 0 = AdapterAtOnce
	Env     []string     // what the process finds in its environment, besides what is taken out of it; nil = the bench's own
}

// StartAdapter starts the adapter with that command line and greets it. The
// variant is called name, and is what the hello says. stop ends the process,
// within some seconds, with everything that it has started; it may be called
// more than once. ctx bounds the greeting only.
func StartAdapter(ctx context.Context, name string, argv []string, o AdapterOptions) (variants.Variant, func(), error) {
	s, err := startSession(ctx, name, argv, o, nil)
	if err != nil {
		return variants.Variant{}, nil, err
	}
	return s.variant(argv, o.AtOnce), s.stop, nil
}

// startSession starts an adapter and greets it; heard sees each of its lines.
func startSession(ctx context.Context, name string, argv []string, o AdapterOptions, heard func(line []byte)) (*session, error) {
	env := o.Env
	if env == nil {
		env = os.Environ()
	}
	p, err := startAdapterProcess(argv, env)
	if err != nil {
		return nil, fmt.Errorf("client %s: %s cannot be started: %w; expected a program with its arguments", name, excerpt([]byte(argv[0])), err)
	}
	s := newSession(name, o.Clock, p.peer(), nil, heard)
	if err := s.exchangeHello(ctx, o.Version); err != nil {
		s.stop()
		return nil, err
	}
	s.noteTo(o.Note)
	return s, nil
}

// exchangeHello says ours and waits for theirs.
func (s *session) exchangeHello(ctx context.Context, version string) error {
	s.send(adapter.Hello{Type: adapter.TypeHello, Protocol: adapter.Protocol, Bench: version})
	silence := time.NewTimer(helloWithin)
	defer silence.Stop()
	select {
	case <-s.greeted:
		return nil
	case <-s.over:
	case <-silence.C:
		s.fail(fmt.Errorf("found no hello on its standard output within %s, expected one line of JSON with type, protocol, name, version, capabilities and clock, flushed at once", helloWithin))
	case <-ctx.Done():
		s.fail(errors.New("its start was given up"))
		return context.Cause(ctx)
	}
	return s.whyBroken()
}

// variant is the client as the runner takes it.
func (s *session) variant(argv []string, atOnce int) variants.Variant {
	h := s.hello
	if atOnce <= 0 {
		atOnce = AdapterAtOnce
	}
	summary := strings.TrimSpace(h.Name + " " + h.Version)
	if h.Language != "" {
		summary += " (" + h.Language + ")"
	}
	return variants.Variant{Name: s.name, Label: s.name, Summary: summary + ", in a process of its own", Listed: true, External: &variants.External{
		Kind: eventlog.AdapterClient, Command: argv, Program: h.Name, Version: h.Version, Language: h.Language, Settings: h.Settings,
		Can: h.Capabilities, Clock: h.Clock, AtOnce: atOnce, Caller: s}}
}
