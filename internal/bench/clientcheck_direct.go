package bench

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/foreign"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// manyAtOnce is how many operations one process is given at once.
const manyAtOnce = 20

// checkBudget is what a call is granted that is to be a success.
const checkBudget = 10 * time.Second

// atOnceWithin is enough for calls that are made at once, and too little for
// calls one after the other.
const atOnceWithin = 5 * time.Second

// found is what a call ended with that should have been a success; nil = it was one.
func (c *directCall) found() *finding {
	switch {
	case c.ending.Broken != "":
		return &finding{verdict: broken, text: c.ending.Broken, cause: c.ending.Broken}
	case c.ending.Outcome != eventlog.Success:
		f := failedf("success", "%s of %s%s", c.ending.Outcome, c.Op, because(c.ending.ErrorType, c.ending.Error))
		f.cause = f.text
		return &f
	}
	return nil
}

// talk starts the client and gives it registered operations.
func (e *examination) talk(ctx context.Context, name string, n int, about func(*foreign.Trial, []*directCall) finding) finding {
	s, err := scenario.ByName(name)
	if err != nil {
		return brokef(err)
	}
	calls, end, err := e.upstream.operations(ctx, s, n)
	if end != nil {
		defer end()
	}
	if err != nil {
		return brokef(err)
	}
	t, err := e.trial(ctx)
	if err != nil {
		return brokef(err)
	}
	defer t.Dismiss(true)
	return about(t, calls)
}

// checkManyAtOnce gives one process 20 operations whose answers take 800 ms.
func (e *examination) checkManyAtOnce(ctx context.Context) finding {
	return e.talk(ctx, "slow_headers", manyAtOnce, func(t *foreign.Trial, calls []*directCall) finding {
		ctx, cancel := context.WithTimeoutCause(ctx, atOnceWithin, variants.ErrCap)
		defer cancel()
		began := time.Now()
		var all sync.WaitGroup
		for _, c := range calls {
			all.Go(func() { c.make(ctx, t.Variant.Foreign.Caller, checkBudget) })
		}
		all.Wait()
		took := time.Since(began)
		for i, c := range calls {
			if bad := c.found(); bad != nil {
				bad.text = fmt.Sprintf("of %d calls at once, whose answers take 0.8 s, number %d, after %.1f s: %s", len(calls), i+1, took.Seconds(), bad.text)
				return *bad
			}
		}
		return okf("%d answers of 0.8 s in %.2f s, each with its own body", len(calls), took.Seconds())
	})
}

// checkUnknown says what a later version might.
func (e *examination) checkUnknown(ctx context.Context) finding {
	return e.talk(ctx, "healthy", 1, func(t *foreign.Trial, calls []*directCall) finding {
		t.Say(map[string]any{"type": "of_a_later_version", "op": calls[0].Op, "anything": []int{1}})
		calls[0].make(ctx, t.Variant.Foreign.Caller, checkBudget)
		if bad := calls[0].found(); bad != nil {
			bad.text += "; expected that a message of an unknown type is ignored"
			return *bad
		}
		return okf("a message of an unknown type was ignored")
	})
}

// checkClose closes a client between two operations that name it.
func (e *examination) checkClose(ctx context.Context) finding {
	return e.talk(ctx, "healthy", 2, func(t *foreign.Trial, calls []*directCall) finding {
		for _, c := range calls {
			c.client = "client"
			c.make(ctx, t.Variant.Foreign.Caller, checkBudget)
			if bad := c.found(); bad != nil {
				return *bad
			}
			t.Variant.Foreign.Caller.Forget(c.client)
		}
		return okf("an operation after close is one of a new client")
	})
}

func (e *examination) checkShutdown(ctx context.Context) finding {
	return e.talk(ctx, "healthy", 1, func(t *foreign.Trial, calls []*directCall) finding {
		calls[0].make(ctx, t.Variant.Foreign.Caller, checkBudget)
		if bad := calls[0].found(); bad != nil {
			return *bad
		}
		began, f := time.Now(), t.Dismiss(true)
		switch {
		case !f.ByItself:
			return failedf("its end within 2 s of shutdown", "it still running")
		case f.Lines > 0:
			return failedf("nothing on its standard output after shutdown, with no operation under way", "%d lines", f.Lines)
		case f.How != "exit status 0":
			return failedf("exit status 0", "%s; its standard error ends with %q", f.How, f.Stderr)
		}
		return okf("it ended with %s after %d ms and wrote nothing more", f.How, time.Since(began).Milliseconds())
	})
}

func (e *examination) checkEndOfInput(ctx context.Context) finding {
	t, err := e.trial(ctx)
	if err != nil {
		return brokef(err)
	}
	began, f := time.Now(), t.Dismiss(false)
	if !f.ByItself {
		return failedf("its end within 2 s: it must not outlive the bench", "it still running")
	}
	return okf("it ended with %s after %d ms", f.How, time.Since(began).Milliseconds())
}
