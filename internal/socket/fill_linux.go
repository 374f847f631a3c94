package socket

import (
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// connectsWithin is how long the one connection that fills a queue may take.
const connectsWithin = time.Second

// fillSocket makes the queue as short as it can be, which is one connection,
// and makes that one. Linux then drops the handshakes of others, who try again
// after 1, 3, 7 … s.
func fillSocket(l net.Listener) (release func(), err error) {
	if err := setBacklog(l, 0); err != nil {
		return nil, err
	}
	filler, err := net.DialTimeout("tcp", l.Addr().String(), connectsWithin)
	if err != nil {
		return nil, err
	}
	if !full(l) {
		filler.Close()
		return nil, fmt.Errorf("one connection does not fill it")
	}
	return sync.OnceFunc(func() {
		filler.Close()
		setBacklog(l, servedBacklog)
	}), nil
}

func setBacklog(l net.Listener, n int) (err error) {
	if !OnSocket(l, func(fd int) { err = os.NewSyscallError("listen", unix.Listen(fd, n)) }) {
		return fmt.Errorf("%T is no socket", l)
	}
	return err
}

// full tells whether more connections wait to be accepted than the listener's
// queue may hold. The kernel reports the two in fields named for something else.
func full(l net.Listener) (is bool) {
	OnSocket(l, func(fd int) {
		info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
		is = err == nil && info.Unacked > info.Sacked
	})
	return is
}
