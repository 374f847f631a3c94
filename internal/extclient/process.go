package extclient

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// lingering is how long the output of a process is read after its end: longer
// only somebody else holds the other end, a child in a session of its own.
const lingering = 100 * time.Millisecond

// starter starts processes, all of them from one thread that lives as long as
// the starter: on Linux a process that is to die with its parent dies with the
// thread that forked it, and Go may end a thread at any time.
type starter struct {
	jobs  chan func()
	over  chan struct{}
	ended chan struct{} // nothing is started any more
	once  sync.Once
}

func newStarter() *starter {
	s := &starter{jobs: make(chan func()), over: make(chan struct{}), ended: make(chan struct{})}
	go s.serve()
	return s
}

func (s *starter) serve() {
	defer close(s.ended)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for {
		select {
		case job := <-s.jobs:
			job()
		case <-s.over:
			return
		}
	}
}

var errOver = errors.New("the run is over")

// do runs f on the starter's thread.
func (s *starter) do(f func() error) error {
	result := make(chan error, 1)
	select {
	case s.jobs <- func() { result <- f() }:
		return <-result
	case <-s.ended:
		return errOver
	}
}

// close returns when nothing is started any more.
func (s *starter) close() {
	s.once.Do(func() { close(s.over) })
	<-s.ended
}

// process is one run of a program in a process group of its own.
type process struct {
	cmd            *exec.Cmd
	group          *group
	stdout, stderr *output
	pipes          []*os.File // ends that the bench reads

	exited  chan struct{}
	flooded chan struct{} // closed when it has written too much
	once    sync.Once     // of flooded
	at      time.Time     // when it ended; after exited
	queued  time.Duration // how long it waited for a processor; after exited

	mu        sync.Mutex
	gone      bool // it has been reaped: its number may be another's
	signalled bool // the bench has sent it a signal
}

// newProcess prepares argv; marker is looked for in its standard output.
func newProcess(argv, environment []string, marker string, limit int64) *process {
	p := &process{cmd: exec.Command(argv[0], argv[1:]...), stdout: newOutput(marker, limit), stderr: newOutput("", limit),
		exited: make(chan struct{}), flooded: make(chan struct{})}
	p.cmd.Env = environment
	p.group = newGroup(p.cmd)
	return p
}

// start starts it on the starter's thread; began is called just before.
func (p *process) start(s *starter, began func(time.Time)) error {
	ours, err := p.connect()
	defer closeAll(ours)
	if err == nil {
		err = s.do(func() error {
			return orphans.start(p.cmd, func() { began(time.Now()) })
		})
	}
	if err != nil {
		closeAll(p.pipes)
		return err
	}
	p.group.started(p.cmd)
	go p.read(p.stdout, p.pipes[0])
	go p.read(p.stderr, p.pipes[1])
	go p.wait()
	return nil
}

// connect makes the pipes and returns the ends that belong to the process.
func (p *process) connect() (theirs []*os.File, err error) {
	for range 2 {
		read, write, err := os.Pipe()
		if err != nil {
			return theirs, err
		}
		p.pipes, theirs = append(p.pipes, read), append(theirs, write)
	}
	p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1]
	return theirs, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

func (p *process) read(o *output, from *os.File) {
	o.read(from)
	if o.flooded {
		p.once.Do(func() { close(p.flooded) })
	}
}

// wait notes when the process has ended and ends what is left of its group.
func (p *process) wait() {
	awaitEnd(p.cmd)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at, p.queued = time.Now(), queued(p.cmd)
	p.group.kill()
	reap(p.cmd)
	orphans.ended(p.cmd)
	p.gone = true
	p.group.close()
	close(p.exited)
}

// terminate asks the process and its group to end.
func (p *process) terminate() { p.signal(p.group.terminate) }

// kill ends the process, its group, and what it has started outside of it.
func (p *process) kill() { p.signal(func() { killTree(p.group) }) }

func (p *process) signal(send func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		p.signalled = true
		send()
	}
}

// drain reads what the ended process left in its pipes and returns when control
// was back with its caller. A child that holds the other end is not waited for.
func (p *process) drain() time.Time {
	timer := time.NewTimer(lingering)
	defer timer.Stop()
	defer closeAll(p.pipes)
	for _, o := range []*output{p.stdout, p.stderr} {
		select {
		case <-o.finished:
		case <-timer.C:
			closeAll(p.pipes)
			<-p.stdout.finished
			<-p.stderr.finished
			return p.at
		}
	}
	return later(p.at, later(p.stdout.at, p.stderr.at))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
