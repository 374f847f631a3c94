package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"runtime"
	"slices"
	"sync"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/extclient"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Clients are those of a run that are programs of their own, started.
type Clients struct {
	List []variants.Variant
	Stop func() // ends them all, with everything that they started
}

// StartClients starts what the options name. What is wrong with one that was
// named is an error; one that breaks the protocol at once takes part as broken.
func StartClients(ctx context.Context, s console.Streams, clk clock.Clock, o ClientOptions) (*Clients, error) {
	specs, err := o.specs()
	if err != nil {
		return nil, err
	}
	if len(specs) == 0 {
		return noClients(o)
	}
	notes := &noteWriter{to: s.Err}
	started := make([]startedClient, len(specs))
	starting := make(chan struct{}, runtime.NumCPU()) // more at once would time each other out
	var all sync.WaitGroup
	for i, spec := range specs {
		all.Go(func() {
			starting <- struct{}{}
			defer func() { <-starting }()
			started[i] = spec.start(ctx, clk, notes)
			started[i].from(spec)
		})
	}
	all.Wait()
	return gather(ctx, started)
}

// noClients is the start of no client at all.
func noClients(o ClientOptions) (*Clients, error) {
	if len(o.Outcomes) > 0 {
		return nil, exit.Usagef("add --exec, or leave it out", "--exec-outcome %s: there is no client that is one process per operation", o.Outcomes[0])
	}
	return &Clients{Stop: func() {}}, nil
}

// startedClient is a client, or why it is none. Both are empty for one that is
// left out.
type startedClient struct {
	variant variants.Variant
	stop    func()
	err     error
	install string // command that builds or installs it; empty = none is known
}

// from keeps what a manifest says of the client, if one names it.
func (c *startedClient) from(spec ClientSpec) {
	c.install = spec.Install
	if c.stop != nil {
		c.variant.External.Manifest = spec.manifest
	}
}

// gather stops everything again if one of them cannot take part.
func gather(ctx context.Context, started []startedClient) (*Clients, error) {
	c := &Clients{Stop: func() { stopAll(started) }}
	var problems []error
	install := ""
	for _, one := range started {
		problems = append(problems, one.err)
		if one.err != nil {
			install = cmp.Or(install, one.install)
		}
		if one.stop != nil {
			c.List = append(c.List, one.variant)
		}
	}
	err := errors.Join(problems...)
	switch {
	case ctx.Err() != nil:
		err = &exit.Error{Code: exit.Interrupted, Err: ErrInterrupted}
	case err != nil:
		err = exit.Usagef(StartHint(err, install), "%w", err)
	case len(c.List) == 0:
		err = exit.Usagef("the notes above say why", "none of the clients could be started")
	}
	if err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

// StartHint is the next step after a program that could not be started. What
// installs clients makes files, and brings no program of PATH.
func StartHint(err error, install string) string {
	if errors.Is(err, fs.ErrPermission) {
		return "make it executable (chmod +x), or name its interpreter in front of it"
	}
	if install != "" && errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("`%s` builds or installs what is missing", install)
	}
	return "is it installed, and in PATH?"
}

func stopAll(started []startedClient) {
	var all sync.WaitGroup
	for _, one := range started {
		if one.stop != nil {
			all.Go(one.stop)
		}
	}
	all.Wait()
}

func (c ClientSpec) start(ctx context.Context, clk clock.Clock, notes *noteWriter) startedClient {
	_, err := exec.LookPath(c.Argv[0])
	switch {
	case err != nil && c.optional:
		notes.say("client %s (%s) is left out: %v", c.Name, c.From, err)
		return startedClient{}
	case err != nil:
		return startedClient{err: fmt.Errorf("%s: the program cannot be started: %w", c.From, err)}
	case c.kind == eventlog.ExecClient:
		return c.startExec(ctx)
	}
	return c.startAdapter(ctx, clk, notes)
}

func (c ClientSpec) startExec(ctx context.Context) startedClient {
	v, stop, err := extclient.StartExec(ctx, c.Name, c.Argv, extclient.ExecOptions{Outcomes: c.outcomes, Settings: c.settings, Program: c.program})
	return startedClient{variant: v, stop: stop, err: err}
}

// startAdapter greets an adapter. One that does not answer as it should is a
// client that broke: it costs itself alone.
func (c ClientSpec) startAdapter(ctx context.Context, clk clock.Clock, notes *noteWriter) startedClient {
	o := extclient.AdapterOptions{Clock: clk, Version: control.Version(), Note: func(text string) { notes.say("%s", text) }}
	v, stop, err := extclient.StartAdapter(ctx, c.Name, c.Argv, o)
	switch {
	case err == nil:
		return startedClient{variant: v, stop: stop}
	case ctx.Err() != nil:
		return startedClient{err: err}
	case c.optional:
		notes.say("%v; it is left out", err)
		return startedClient{}
	}
	notes.say("%v", err)
	return startedClient{variant: brokenVariant(c, err), stop: func() {}}
}

// noteWriter writes notes of several clients at once, each as a line.
type noteWriter struct {
	mu sync.Mutex
	to interface{ Write([]byte) (int, error) }
}

func (n *noteWriter) say(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	fmt.Fprintf(n.to, "note: "+format+"\n", args...)
}

// brokenVariant is a client that never got to its first call. What it could do
// is not known: nothing is held to be beyond it, so that it breaks everywhere.
func brokenVariant(c ClientSpec, why error) variants.Variant {
	f := &variants.External{Kind: c.kind, Command: c.Argv, Can: adapter.Capabilities, AtOnce: extclient.AdapterAtOnce, Caller: brokenCaller{why.Error()}}
	return variants.Variant{Name: c.Name, Label: c.Name, Summary: "broken: " + why.Error(), External: f}
}

// brokenCaller ends every call at once.
type brokenCaller struct{ why string }

func (b brokenCaller) Call(context.Context, *variants.Call) variants.Ending {
	return variants.Ending{Outcome: eventlog.ClientError, Error: b.why, Broken: b.why}
}

func (b brokenCaller) Forget(string) {}

// Alongside are the variants of a plan with clients: those that were asked for
// by name, and the clients. Without clients it is asked alone.
func (c *Clients) Alongside(asked []variants.Variant) []variants.Variant {
	if len(c.List) == 0 {
		return asked
	}
	return slices.Concat(asked, c.List)
}
