// Package conformance checks a client that speaks the adapter protocol: what it
// claims, what it reports, and how it ends.
package conformance

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/extclient"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/nearest"
)

// ClientCheck holds an adapter against the protocol and prints one line for
// each check. The client is started anew for each of them, so that what it does
// in one says nothing about the next. The code is 10 when one failed.
func ClientCheck(ctx context.Context, s console.Streams, command string, only []string) (int, error) {
	checks, err := someChecks(only)
	if err != nil {
		return 0, err
	}
	spec, err := lab.ParseClient("bench client check", eventlog.AdapterClient, command)
	if err != nil {
		return 0, exit.Usagef("name the program and its arguments in one word: bench client check 'python3 client.py'", "%w", err)
	}
	if err := lab.CheckNames([]lab.ClientSpec{spec}); err != nil {
		return 0, err
	}
	u, err := lab.Connect(ctx, lab.UpstreamOptions{})
	if err != nil {
		return 0, err
	}
	defer u.Stop()
	e := &examination{ClientSpec: spec, upstream: u, clock: clock.New()}
	if err := e.greet(ctx); err != nil {
		return 0, err
	}
	return e.run(ctx, s, checks)
}

// someChecks are those that are named, in their order; all without a name.
func someChecks(only []string) ([]clientCheck, error) {
	names := ClientChecks()
	for _, name := range only {
		if !slices.Contains(names, name) {
			return nil, exit.Usagef("", "--only %s: expected one of %s%s", name, strings.Join(names, ", "), nearest.DidYouMean(name, names))
		}
	}
	if len(only) == 0 {
		return clientChecks, nil
	}
	return slices.DeleteFunc(slices.Clone(clientChecks), func(c clientCheck) bool { return !slices.Contains(only, c.name) }), nil
}

// ClientChecks lists the names of the checks.
func ClientChecks() []string {
	var names []string
	for _, c := range clientChecks {
		names = append(names, c.name)
	}
	return names
}

// examination is one `bench client check`.
type examination struct {
	lab.ClientSpec
	upstream *lab.Upstream
	clock    clock.Clock
	hello    string   // what it said of itself; empty = nothing that the protocol allows
	can      []string // its capabilities
	refusal  error    // why there is no hello
}

// greet starts the client for the first time. A program that is not there is a
// mistake of the command line, not of the client.
func (e *examination) greet(ctx context.Context) error {
	if _, err := exec.LookPath(e.Argv[0]); err != nil {
		return exit.Usagef(lab.StartHint(err, e.Install), "%s: the program cannot be started: %w", e.From, err)
	}
	t, err := e.checkSession(ctx)
	if ctx.Err() != nil {
		return &exit.Error{Code: exit.Interrupted, Err: lab.ErrInterrupted}
	}
	if e.refusal = err; err != nil {
		return nil
	}
	f := t.Variant.External
	claims := strings.Join(f.Can, ", ")
	if claims == "" {
		claims = "nothing"
	}
	e.can, e.hello = f.Can, fmt.Sprintf("%s; claims %s; clock %s; settings: %s", strings.TrimSuffix(t.Variant.Summary, ", in a process of its own"), claims, f.Clock, settingNames(f.Settings))
	t.Dismiss(true)
	return nil
}

func settingNames(settings map[string]string) string {
	if len(settings) == 0 {
		return "none"
	}
	return strings.Join(slices.Sorted(maps.Keys(settings)), ", ")
}

func (e *examination) checkSession(ctx context.Context) (*extclient.CheckSession, error) {
	o := extclient.AdapterOptions{Clock: e.clock, Version: control.Version(), AtOnce: manyAtOnce}
	return extclient.StartCheckSession(ctx, e.Name, e.Argv, o)
}

// finding is what a check found.
type finding struct {
	verdict string // ok, FAILED, skipped
	text    string
	cause   string // what was wrong, where another check may fail of the same
	final   bool   // another try would find the same
	brokeIn string // scenario in which the client broke; empty = it did not
}

const (
	held    = "ok"
	broken  = "FAILED"
	skipped = "skipped"
)

func okf(format string, args ...any) finding {
	return finding{verdict: held, text: fmt.Sprintf(format, args...)}
}

func failedf(expected, found string, args ...any) finding {
	return finding{verdict: broken, text: "found " + fmt.Sprintf(found, args...) + "; expected " + expected}
}

func brokef(err error) finding {
	return finding{verdict: broken, text: err.Error(), cause: err.Error()}
}

// clientCheck is one check.
type clientCheck struct {
	name  string
	needs []string // capabilities
	check func(*examination, context.Context) finding
}

// clientChecks are the checks in their order.
var clientChecks = []clientCheck{
	{"hello", nil, (*examination).checkHello},
	{"success", nil, (*examination).checkSuccess},
	{"times", nil, (*examination).checkTimes},
	{"status", nil, (*examination).checkStatus},
	{"attempts", []string{adapter.CanAttempts}, (*examination).checkAttempts},
	{"silence", nil, (*examination).checkHang},
	{"cancel", []string{adapter.CanCancel}, (*examination).checkCancel},
	{"pause", []string{adapter.CanCancel, adapter.CanBackoff}, (*examination).checkCancelInBackoff},
	{"slots", []string{adapter.CanSlots}, (*examination).checkSlots},
	{"pool", []string{adapter.CanPool}, (*examination).checkPool},
	{"many", nil, (*examination).checkManyAtOnce},
	{"unknown", nil, (*examination).checkUnknown},
	{"close", nil, (*examination).checkClose},
	{"shutdown", nil, (*examination).checkShutdown},
	{"eof", nil, (*examination).checkEndOfInput},
}

// run prints the checks as they end.
func (e *examination) run(ctx context.Context, s console.Streams, checks []clientCheck) (int, error) {
	counts, began, first, notMade := map[string]int{}, time.Now(), map[string]string{}, ""
	for i, c := range checks {
		found := e.one(ctx, c)
		if ctx.Err() != nil {
			return 0, &exit.Error{Code: exit.Interrupted, Err: lab.ErrInterrupted}
		}
		counts[found.verdict]++
		if err := s.Beside(fmt.Sprintf("%-8s %-9s ", found.verdict, c.name), found.said(c.name, first)); err != nil {
			return 0, err
		}
		if left := len(checks) - i - 1; left > 0 && e.goesNoFurther(found) {
			notMade = fmt.Sprintf(", %d not made (fix this first)", left)
			break
		}
	}
	_, err := fmt.Fprintf(s.Text(), "%s: %d ok, %d failed, %d skipped%s, in %.0f s\n", e.Name, counts[held], counts[broken], counts[skipped], notMade, time.Since(began).Seconds())
	if counts[broken] > 0 {
		return exit.Expectation, err
	}
	return exit.OK, err
}

// goesNoFurther tells whether every other check would only find the same again,
// each after waits of its own: a client without a hello, or one that breaks where
// nothing is asked of it but a call and nothing waits.
func (e *examination) goesNoFurther(f finding) bool {
	return e.refusal != nil || f.brokeIn == lab.StartUnder
}

var (
	operationID = regexp.MustCompile(`\b[a-z0-9_]+-r\d+-[a-z0-9_]+-[mh]\d+|\bcheck-\d+`)
	anyNumber   = regexp.MustCompile(`\d[\d.]*`)
)

// said is the text of a finding. A breach that every call shows is said once:
// first holds the check that met it, by its cause without ids and numbers.
func (f finding) said(check string, first map[string]string) string {
	if f.cause == "" {
		return f.text
	}
	key := anyNumber.ReplaceAllString(operationID.ReplaceAllString(f.cause, "ID"), "N")
	if met, known := first[key]; known {
		return "for the same reason as " + met
	}
	first[key] = check
	return f.text
}

func (e *examination) one(ctx context.Context, c clientCheck) finding {
	if e.refusal != nil {
		return brokef(e.refusal)
	}
	for _, capability := range c.needs {
		if !slices.Contains(e.can, capability) {
			return finding{verdict: skipped, text: fmt.Sprintf("it does not claim %q", capability)}
		}
	}
	return c.check(e, ctx)
}

func (e *examination) checkHello(context.Context) finding { return okf("%s", e.hello) }
