package clock

import (
	"container/heap"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Nudge makes timers of package time punctual. The runtime's poller waits in
// whole milliseconds, so a timer of an idle process fires up to one late. One
// timerfd in that same poller, armed at the earliest due time, wakes it at the
// microsecond, and timers that are due then fire at once.
//
// A nil *Nudge does nothing. It is for whole processes only, never for a
// synctest bubble, and never for the deadlines that are being measured.
type Nudge struct {
	clk  Clock
	file *os.File // in the runtime's poller
	fd   int      // of file; (*os.File).Fd would take it out of the poller
	gone sync.WaitGroup

	mu     sync.Mutex
	due    dueTimes
	known  map[int64]bool // what due holds
	closed bool
}

// maxDue bounds the due times that are kept; timers beyond are as late as
// without a nudge.
const maxDue = 1 << 16

// afterDue lets the wake-up come after the timers are due, not a hair before:
// the runtime would then wait its whole millisecond.
const afterDue = int64(time.Microsecond)

// NewNudge starts one. It takes one file descriptor and one goroutine until Close.
func NewNudge() (*Nudge, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("precise timers need a timerfd: %w", err)
	}
	n := &Nudge{clk: New(), file: os.NewFile(uintptr(fd), "timerfd"), fd: fd, known: map[int64]bool{}}
	n.gone.Go(n.serve)
	return n, nil
}

// At asks for punctual timers at t. A t that has passed, or that is known, is
// nothing; t must carry a monotonic reading.
func (n *Nudge) At(t time.Time) {
	if n == nil {
		return
	}
	due := n.clk.Ns(t)
	if due <= n.clk.Now() {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed || n.known[due] || len(n.due) >= maxDue {
		return
	}
	n.known[due] = true
	heap.Push(&n.due, due)
	if n.due[0] == due {
		n.arm()
	}
}

// serve reads one expiry after the other; being woken by it is the nudge.
func (n *Nudge) serve() {
	expirations := make([]byte, 8)
	for {
		if _, err := n.file.Read(expirations); err != nil {
			return
		}
		n.next()
	}
}

// next forgets what is due and arms the timer for the rest.
func (n *Nudge) next() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for now := n.clk.Now(); len(n.due) > 0 && n.due[0] <= now; {
		delete(n.known, heap.Pop(&n.due).(int64))
	}
	n.arm()
}

// arm sets the timer to the earliest due time. The caller holds mu.
func (n *Nudge) arm() {
	if n.closed || len(n.due) == 0 {
		return
	}
	at := unix.ItimerSpec{Value: unix.NsecToTimespec(n.due[0] + afterDue)}
	// It fails for a bad descriptor or time only, and neither can be here.
	_ = unix.TimerfdSettime(n.fd, unix.TFD_TIMER_ABSTIME, &at, nil)
}

// Close ends it and its goroutine. It may be called twice.
func (n *Nudge) Close() error {
	if n == nil {
		return nil
	}
	n.mu.Lock()
	already := n.closed
	n.closed = true
	n.mu.Unlock()
	if already {
		return nil
	}
	err := n.file.Close()
	n.gone.Wait()
	return err
}

// dueTimes is a heap with the earliest first.
type dueTimes []int64

func (d dueTimes) Len() int           { return len(d) }
func (d dueTimes) Less(i, j int) bool { return d[i] < d[j] }
func (d dueTimes) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }
func (d *dueTimes) Push(x any)        { *d = append(*d, x.(int64)) }
func (d *dueTimes) Pop() any {
	last := len(*d) - 1
	x := (*d)[last]
	*d = (*d)[:last]
	return x
}
