package lab

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/extclient"
)

// MarkEnv hands the mark of this bench's clients to its labserver, which ends
// those that are left if bench was killed.
const MarkEnv = "DEADLINELAB_LEFT"

// readyWithin bounds the wait for labserver's ready line.
const readyWithin = 10 * time.Second

// Process is a labserver that runs as a child of bench: in its own process
// group, so that Ctrl-C does not kill it before the run is saved, and tied to
// bench by its standard input, so that it never outlives bench.
type Process struct {
	Ready control.Ready
	Token string

	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr *tail
	done   chan struct{}
	err    error
}

// StartLabserver starts executable as `labserver` and waits for its ready line.
func StartLabserver(ctx context.Context, executable, version string) (*Process, error) {
	p := &Process{Token: rand.Text(), stderr: &tail{limit: 8 << 10}, done: make(chan struct{})}
	p.cmd = exec.Command(executable, "labserver", "--parent-stdin", "--control", "127.0.0.1:0")
	p.cmd.Env = append(os.Environ(), control.TokenEnv+"="+p.Token, MarkEnv+"="+extclient.Mark())
	p.cmd.Stderr, p.cmd.WaitDelay = p.stderr, time.Second
	ownProcessGroup(p.cmd)
	stdout, err := p.start()
	if err != nil {
		return nil, fmt.Errorf("labserver did not start: %w", err)
	}
	if err := p.awaitReady(ctx, stdout, version); err != nil {
		p.Stop()
		return nil, fmt.Errorf("labserver did not get ready: %w%s", err, p.stderr.suffix())
	}
	return p, nil
}

func (p *Process) start() (io.Reader, error) {
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	// A pipe of our own: cmd.Wait closes a StdoutPipe before it is read out.
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.stdin, p.cmd.Stdout = stdin, write
	ended, err := extclient.Start(p.cmd)
	write.Close()
	if err != nil {
		read.Close()
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		ended()
		close(p.done)
	}()
	return read, nil
}

// awaitReady reads the ready line and keeps draining what follows it.
func (p *Process) awaitReady(ctx context.Context, stdout io.Reader, version string) error {
	line := make(chan []byte, 1)
	go func() {
		r := bufio.NewReader(io.LimitReader(stdout, 64<<10))
		first, _ := r.ReadBytes('\n')
		line <- first
		_, _ = io.Copy(io.Discard, stdout)
	}()
	timeout, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	select {
	case l := <-line:
		if len(l) == 0 {
			return p.endedEarly()
		}
		return p.acceptReady(l, version)
	case <-timeout.Done():
		return fmt.Errorf("no ready line within %s: %w", readyWithin, context.Cause(timeout))
	}
}

// endedEarly says how a process ended that closed its output without a line.
func (p *Process) endedEarly() error {
	select {
	case <-p.done:
		return fmt.Errorf("it ended before it was ready: %w", p.ending())
	case <-time.After(time.Second):
		return errors.New("it closed its standard output without a ready line")
	}
}

func (p *Process) acceptReady(line []byte, version string) error {
	if err := json.Unmarshal(line, &p.Ready); err != nil || !p.Ready.Ready {
		return fmt.Errorf("found %q on its standard output, expected one JSON ready line", strings.TrimSpace(string(line)))
	}
	return checkVersion(p.Ready.API, p.Ready.Version, version)
}

// checkVersion refuses a labserver of another API number.
func checkVersion(api int, theirs, ours string) error {
	if api != control.APIVersion {
		return exit.Usagef("use binaries of one version", "labserver %s speaks API %d, this bench (%s) expects API %d", theirs, api, ours, control.APIVersion)
	}
	return nil
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err says how the process ended; only after Done.
func (p *Process) Err() error {
	return fmt.Errorf("labserver ended: %w%s", p.ending(), p.stderr.suffix())
}

func (p *Process) ending() error {
	if p.err == nil {
		return errors.New("exit status 0")
	}
	return p.err
}

// Stop ends the process: by end of input, then by a kill. A word before the end
// tells it from bench's death.
func (p *Process) Stop() {
	_, _ = io.WriteString(p.stdin, "stop\n")
	p.stdin.Close()
	select {
	case <-p.done:
	case <-time.After(3 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}

// tail keeps the end of what a process wrote on its standard error.
type tail struct {
	mu    sync.Mutex
	limit int
	kept  []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if over := len(t.kept) - t.limit; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(b), nil
}

// suffix is what was kept, ready to be appended to an error message.
func (t *tail) suffix() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := strings.TrimSpace(string(t.kept)); s != "" {
		return "; it wrote:\n" + s
	}
	return ""
}
