package extclient

import (
	"crypto/rand"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// adapterMark is a variable that only the process of one adapter, and what that
// starts, has in its environment.
const adapterMark = ownPrefix + "ADAPTER"

// adapterProcess is the process of an adapter, in a group of its own.
type adapterProcess struct {
	cmd     *exec.Cmd
	group   *group
	mark    string
	starter *starter
	stdin   *os.File
	stdout  *os.File
	stderr  *stderrTail
	ended   chan struct{}

	mu   sync.Mutex
	gone bool // it has ended: its number may be another's
}

func startAdapterProcess(argv, env []string) (*adapterProcess, error) {
	p := &adapterProcess{cmd: exec.Command(argv[0], argv[1:]...), mark: adapterMark + "=" + rand.Text(), starter: newStarter(),
		stderr: newStderrTail(), ended: make(chan struct{})}
	p.cmd.Env = environment(env, p.mark)
	p.group = newGroup(p.cmd)
	theirs, stderr, err := p.connect()
	orphans.enter()
	if err == nil {
		err = p.starter.do(func() error { return orphans.start(p.cmd, func() {}) })
	}
	closeAll(theirs)
	if err != nil {
		orphans.leave()
		p.starter.close()
		closeAll([]*os.File{p.stdin, p.stdout, stderr})
		return nil, err
	}
	p.group.started(p.cmd)
	go p.stderr.read(stderr)
	go p.wait()
	return p, nil
}

// connect makes the three pipes. They are not those of exec.Cmd, which closes
// its own before they are read out.
func (p *adapterProcess) connect() (theirs []*os.File, stderr *os.File, err error) {
	var ends [6]*os.File
	for i := 0; i < len(ends) && err == nil; i += 2 {
		ends[i], ends[i+1], err = os.Pipe()
	}
	p.cmd.Stdin, p.stdin = ends[0], ends[1]
	p.stdout, p.cmd.Stdout = ends[2], ends[3]
	p.cmd.Stderr = ends[5]
	return []*os.File{ends[0], ends[3], ends[5]}, ends[4], err
}

// wait ends what is left of the group as soon as the process has ended, and
// children that left the group.
func (p *adapterProcess) wait() {
	awaitEnd(p.cmd)
	p.mu.Lock()
	p.group.kill()
	reap(p.cmd)
	orphans.ended(p.cmd)
	p.gone = true
	p.group.close()
	p.mu.Unlock()
	killMarked(p.mark)
	orphans.leave()
	p.starter.close()
	select {
	case <-p.stderr.finished:
	case <-time.After(lingering):
	}
	close(p.ended)
}

func (p *adapterProcess) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		killTree(p.group)
	}
}

// how is how it ended; only after ended.
func (p *adapterProcess) how() string { return p.cmd.ProcessState.String() }

func (p *adapterProcess) peer() peer {
	return peer{in: p.stdin, out: p.stdout, ended: p.ended, how: p.how, wrote: p.stderr.text, flood: p.stderr.flood, kill: p.kill}
}

// stderrTail keeps the end of what a process writes on its standard error, and
// reads all of it, so that the process never waits.
type stderrTail struct {
	mu       sync.Mutex
	kept     []byte
	total    int64
	flood    chan struct{} // closed when there was more than mostOutput
	finished chan struct{}
}

func newStderrTail() *stderrTail {
	return &stderrTail{flood: make(chan struct{}), finished: make(chan struct{})}
}

func (t *stderrTail) read(from *os.File) {
	defer close(t.finished)
	defer from.Close()
	_, _ = io.Copy(t, from)
}

func (t *stderrTail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.total += int64(len(b)); t.total > mostOutput && t.total-int64(len(b)) <= mostOutput {
		close(t.flood)
	}
	t.kept = append(t.kept, b[max(0, len(b)-tailKept):]...)
	t.kept = append(t.kept[:0], t.kept[max(0, len(t.kept)-tailKept):]...)
	return len(b), nil
}

func (t *stderrTail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
