package labserver

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
)

// Clients that leave in the middle, with a FIN and with a reset, and experiments
// that end around others that stay: no fault leaves a socket, a goroutine or a
// file behind.
func TestNothingIsLeftBehind(t *testing.T) {
	leaks := goleak.IgnoreCurrent()
	before := openDescriptors(t)
	s := New(Config{Clock: clock.New()})
	var all sync.WaitGroup
	for _, p := range proofs() {
		all.Go(func() { threeClients(t, s, p) })
	}
	all.Wait()
	s.Close()
	goleak.VerifyNone(t, leaks)
	if after := openDescriptors(t); after > before {
		t.Errorf("%d files before, %d after", before, after)
	}
}

// threeClients is three clients of one fault: one leaves, one resets, one stays until
// the experiment has ended.
func threeClients(t *testing.T, s *Server, p *proof) {
	x, err := s.proving(p.fault)
	if err != nil {
		t.Error(err)
		return
	}
	ops, err := x.register([]control.OperationRequest{{Op: proofOp}})
	if err != nil {
		t.Error(err)
		return
	}
	var stay []net.Conn
	for _, linger := range []int{-1, 0, -1} {
		c, err := net.DialTimeout("tcp", strings.TrimPrefix(x.urlOf(ops[0]), "http://"), proofDial)
		if err != nil {
			continue
		}
		c.(*net.TCPConn).SetLinger(linger)
		c.SetWriteDeadline(time.Now().Add(proofDial))
		for _, say := range p.says {
			io.WriteString(c, say.text)
		}
		stay = append(stay, c)
	}
	for _, c := range stay[:max(len(stay)-1, 0)] {
		c.Close()
	}
	s.remove(x.name)
	for _, c := range stay {
		c.Close()
	}
	if n := x.running.count(); n != 0 {
		t.Errorf("%s: %d handlers are still busy", p.fault, n)
	}
}
