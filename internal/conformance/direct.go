package conformance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/extclient"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// manyAtOnce is how many operations one process is given at once.
const manyAtOnce = 20

// checkBudget is what a call is granted that is to be a success.
const checkBudget = 10 * time.Second

// wrongEnd is what a call ended with that should have been a success; nil = it was one.
func wrongEnd(c *lab.DirectCall) *finding {
	switch {
	case c.Ending.Broken != "":
		return &finding{verdict: broken, text: c.Ending.Broken, cause: c.Ending.Broken}
	case c.Ending.Outcome != eventlog.Success:
		f := failedf("success", "%s of %s%s", c.Ending.Outcome, c.Op, because(c.Ending.ErrorType, c.Ending.Error))
		f.cause = f.text
		return &f
	}
	return nil
}

// talk starts the client and gives it registered operations under which nothing
// waits.
func (e *examination) talk(ctx context.Context, n int, about func(*extclient.CheckSession, []*lab.DirectCall) finding) finding {
	s, err := scenario.ByName(lab.StartUnder)
	if err != nil {
		return brokef(err)
	}
	return e.talkUnder(ctx, s, n, about)
}

func (e *examination) talkUnder(ctx context.Context, s *scenario.Scenario, n int, about func(*extclient.CheckSession, []*lab.DirectCall) finding) finding {
	calls, end, err := e.upstream.Operations(ctx, s, n)
	if end != nil {
		defer end()
	}
	if err != nil {
		return brokef(err)
	}
	t, err := e.checkSession(ctx)
	if err != nil {
		return brokef(err)
	}
	defer t.Dismiss(true)
	return about(t, calls)
}

// checkManyAtOnce gives one process 20 operations whose answers take 0.8 s, or
// 0.2 where a limit of the client's own ends calls before: how long it waits is
// its own business.
func (e *examination) checkManyAtOnce(ctx context.Context) finding {
	slow, fast := 800*time.Millisecond, 200*time.Millisecond
	found, impatient := e.many(ctx, slow)
	if !impatient {
		return found
	}
	found, impatient = e.many(ctx, fast)
	switch {
	case impatient:
		return finding{verdict: skipped, text: fmt.Sprintf("a limit of its own ends calls before an answer that takes %s", lab.Milliseconds(fast))}
	case found.verdict == held:
		found.text += fmt.Sprintf("; one of %s is cut off by a limit of its own", lab.Milliseconds(slow))
	}
	return found
}

// many gives one process operations whose answers take that long, and reports
// whether the client's own limits have ended all of them.
func (e *examination) many(ctx context.Context, delay time.Duration) (found finding, impatient bool) {
	s, err := answeringAfter(delay)
	if err != nil {
		return brokef(err), false
	}
	found = e.talkUnder(ctx, s, manyAtOnce, func(t *extclient.CheckSession, calls []*lab.DirectCall) finding {
		within := manyAtOnce * delay / 3
		ctx, cancel := context.WithTimeoutCause(ctx, within, variants.ErrCap)
		defer cancel()
		took := lab.MakeAll(ctx, calls, t.Variant.External.Caller, checkBudget)
		impatient = !slices.ContainsFunc(calls, func(c *lab.DirectCall) bool {
			return c.Ending.Broken != "" || !outOfTime(c.Ending.Outcome, c.Ending.Last)
		})
		for i, c := range calls {
			if bad := wrongEnd(c); bad != nil {
				bad.text = fmt.Sprintf("of %d calls at once, whose answers take %s, number %d, after %.1f s: %s", len(calls), lab.Milliseconds(delay), i+1, took.Seconds(), bad.text)
				return *bad
			}
		}
		return okf("%d answers of %s in %s, each with its own body", len(calls), lab.Milliseconds(delay), lab.Milliseconds(took))
	})
	return found, impatient
}

// answeringAfter is slow_headers with another delay.
func answeringAfter(delay time.Duration) (*scenario.Scenario, error) {
	s, err := scenario.ByName("slow_headers")
	if err == nil {
		s.Fault.(*fault.SlowHeaders).ResponseDelayMs = delay.Seconds() * 1e3
	}
	return s, err
}

// outOfTime reports whether a limit of the client's own is why a call ended so.
func outOfTime(outcome, last eventlog.Outcome) bool {
	why := cmp.Or(last, outcome)
	return why == eventlog.DeadlineExceeded || why == eventlog.AttemptTimeout
}

// checkUnknown says what a later version might.
func (e *examination) checkUnknown(ctx context.Context) finding {
	return e.talk(ctx, 1, func(t *extclient.CheckSession, calls []*lab.DirectCall) finding {
		t.Say(map[string]any{"type": "of_a_later_version", "op": calls[0].Op, "anything": []int{1}})
		calls[0].Make(ctx, t.Variant.External.Caller, checkBudget)
		if bad := wrongEnd(calls[0]); bad != nil {
			bad.text += "; expected that a message of an unknown type is ignored"
			return *bad
		}
		return okf("a message of an unknown type was ignored")
	})
}

// checkClose closes a client between two operations that name it.
func (e *examination) checkClose(ctx context.Context) finding {
	return e.talk(ctx, 2, func(t *extclient.CheckSession, calls []*lab.DirectCall) finding {
		for _, c := range calls {
			c.Client = "client"
			c.Make(ctx, t.Variant.External.Caller, checkBudget)
			if bad := wrongEnd(c); bad != nil {
				return *bad
			}
			t.Variant.External.Caller.Forget(c.Client)
		}
		return okf("an operation after close is one of a new client")
	})
}

func (e *examination) checkShutdown(ctx context.Context) finding {
	return e.talk(ctx, 1, func(t *extclient.CheckSession, calls []*lab.DirectCall) finding {
		calls[0].Make(ctx, t.Variant.External.Caller, checkBudget)
		if bad := wrongEnd(calls[0]); bad != nil {
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
	t, err := e.checkSession(ctx)
	if err != nil {
		return brokef(err)
	}
	began, f := time.Now(), t.Dismiss(false)
	if !f.ByItself {
		return failedf("its end within 2 s: it must not outlive the bench", "it still running")
	}
	return okf("it ended with %s after %d ms", f.How, time.Since(began).Milliseconds())
}
