package extclient

import (
	"os/exec"
	"sync"
	"time"
)

// reaper takes in the processes that clients leave behind, as long as there is
// a client. On Linux a process whose parent has ended comes to it, also one
// that has left its group and cleared its environment, and so can be ended when
// no client is left. Whose it is cannot be told by then: it may serve a call
// that still runs, or a later one, so nobody ends it before. Elsewhere it only
// counts.
type reaper struct {
	mu      sync.Mutex
	clients int
	own     map[int]*exec.Cmd // children that bench has started itself and has not reaped
	before  map[int]bool      // children that were there before the first client
	over    chan struct{}     // closed when there is no client any more; nil = nothing is taken in
}

// orphans are those of this bench's clients: a process takes them in as a whole.
var orphans = &reaper{own: map[int]*exec.Cmd{}}

// collectEvery is how often those that have ended by themselves are reaped.
const collectEvery = time.Second

// Start starts a process of bench's own, one that is not to be taken for an
// orphan of a client. ended is to be called once it has been waited for.
func Start(cmd *exec.Cmd) (ended func(), err error) {
	err = orphans.start(cmd, func() {})
	return func() { orphans.ended(cmd) }, err
}

// start starts a process while nobody looks for orphans; began is called just
// before.
func (r *reaper) start(cmd *exec.Cmd, began func()) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	began()
	err := cmd.Start()
	if err == nil {
		r.own[cmd.Process.Pid] = cmd
	}
	return err
}

// ended forgets a process that has been reaped: its number may be another's, and
// that one's own by now.
func (r *reaper) ended(cmd *exec.Cmd) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.own[cmd.Process.Pid] == cmd {
		delete(r.own, cmd.Process.Pid)
	}
}

// enter is called before a client's first process is started.
func (r *reaper) enter() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.clients++; r.clients > 1 || !adopt(true) {
		return
	}
	r.before = nil
	r.before = r.orphans()
	r.over = make(chan struct{})
	go r.collect(r.over)
}

// leave is called when the last process of a client has been reaped. The last
// client takes the orphans of all with it.
func (r *reaper) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.clients--; r.clients > 0 || r.over == nil {
		return
	}
	close(r.over)
	r.over = nil
	r.end()
	adopt(false)
}

// collect reaps orphans that have ended by themselves.
func (r *reaper) collect(over <-chan struct{}) {
	tick := time.NewTicker(collectEvery)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return
		case <-tick.C:
			r.collectOnce(over)
		}
	}
}

func (r *reaper) collectOnce(over <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-over:
	default:
		r.reapEnded()
	}
}
