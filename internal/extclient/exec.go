package extclient

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// ExecOptions are what is said of a client that is one process per operation.
type ExecOptions struct {
	Outcomes map[int]eventlog.Outcome // of exit statuses, over what is known of the program
	Settings map[string]string        // how it is set up, for the report
	Program  string                   // whose version is shown and whose exit statuses are known; empty = the command's first word
}

// StartExec makes a client of a command: one process for each operation. argv
// has been checked. The program is asked for its version, nothing else is
// started yet. stop ends everything that the client's processes left behind; it
// is to be called when the run is over, and may be called again.
func StartExec(ctx context.Context, name string, argv []string, o ExecOptions) (v variants.Variant, stop func(), err error) {
	if _, err := exec.LookPath(argv[0]); err != nil {
		return variants.Variant{}, nil, fmt.Errorf("%s: the program cannot be started: %w", name, err)
	}
	of := cmp.Or(o.Program, argv[0])
	x := &program{argv: argv, outcomes: OutcomesOf(of, o.Outcomes), starter: newStarter(),
		mark: ownPrefix + "RUN=" + rand.Text(), limit: mostOutput, running: map[*process]string{}}
	orphans.enter()
	f := &variants.External{Kind: eventlog.ExecClient, Command: argv, Program: programName(of), Version: x.version(ctx, of),
		Settings: maps.Clone(o.Settings), Can: []string{adapter.CanCancel}, Outcomes: x.outcomes, AtOnce: atOnce(), Caller: x}
	return variants.Variant{Name: name, Label: name, Summary: "exec: " + strings.Join(argv, " "), External: f}, x.stop, nil
}

// atOnce is how many processes of one client may run at a time, unless its
// start-up turns out to bear fewer. Starting a process costs milliseconds of a
// core, and so does what it does before it sends its request: more of them than
// two for each core would queue for the cores, and that wait would be booked as
// the client's. Eight keep the start-up measured under healthy comparable with
// that of the other scenarios also on a large machine, where fork and exec queue
// for locks of the kernel.
func atOnce() int { return min(8, 2*runtime.NumCPU()) }

// program is the Caller of an exec client.
type program struct {
	argv     []string
	outcomes map[int]eventlog.Outcome
	starter  *starter
	mark     string // variable that its processes and all that they start carry
	limit    int64  // bytes of output on either stream

	mu      sync.Mutex
	running map[*process]string // and the client of its call

	left sync.Once // it has no process any more
}

// Call runs one process.
func (x *program) Call(ctx context.Context, c *variants.Call) variants.Ending {
	v := values{url: c.URL, budget: c.Policy.Budget, id: c.Op}
	p := newProcess(expand(x.argv, v), environment(os.Environ(), append(v.pairs(), x.mark)...), c.Marker, x.limit)
	began := c.Began
	if began == nil {
		began = func(time.Time) {}
	}
	if err := x.start(p, c.Client, began); err != nil {
		return brokenCall("could not be started: " + err.Error())
	}
	defer x.forget(p)
	why := x.await(ctx, p, ownPrefix+"ID="+c.Op)
	at := p.drain()
	e := x.ending(p, why, c.Marker != "")
	e.At, e.Queued = at, p.queued
	return e
}

func brokenCall(why string) variants.Ending {
	return variants.Ending{Outcome: eventlog.ClientError, Error: why, Broken: why}
}

func (x *program) start(p *process, client string, began func(time.Time)) error {
	if err := p.start(x.starter, began); err != nil {
		return err
	}
	x.mu.Lock()
	x.running[p] = client
	x.mu.Unlock()
	return nil
}

func (x *program) forget(p *process) {
	x.mu.Lock()
	delete(x.running, p)
	x.mu.Unlock()
}

// await returns when the process has ended, and why the bench ended it; nil if
// it did not. A cancel of the caller asks it to end and waits; everything else
// ends it by force, and what it started too, also in sessions of their own.
func (x *program) await(ctx context.Context, p *process, id string) (why error) {
	select {
	case <-p.exited:
		return nil
	case <-p.flooded:
		why = errFlood
	case <-ctx.Done():
		why = context.Cause(ctx)
	}
	if errors.Is(why, variants.ErrCancelled) {
		p.terminate()
		select {
		case <-p.exited:
			return why
		case <-p.flooded:
			why = errFlood
		}
	}
	p.kill()
	killMarked(x.mark, id)
	<-p.exited
	return why
}

// Forget ends what still runs of a client whose calls were given up.
func (x *program) Forget(client string) {
	x.killAll(func(of string) bool { return of == client })
}

func (x *program) killAll(which func(client string) bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for p, client := range x.running {
		if which(client) {
			p.kill()
		}
	}
}

func (x *program) stop() {
	x.starter.close()
	x.killAll(func(string) bool { return true })
	x.awaitAll()
	killMarked(x.mark)
	x.left.Do(orphans.leave)
}

// awaitAll waits for the end of what was killed: until then its children are not
// known to be orphans.
func (x *program) awaitAll() {
	x.mu.Lock()
	defer x.mu.Unlock()
	late := time.After(endWithin)
	for p := range x.running {
		select {
		case <-p.exited:
		case <-late:
			return
		}
	}
}
