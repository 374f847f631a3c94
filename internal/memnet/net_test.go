package memnet

import (
	"context"
	"errors"
	"net"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// connected is a connection, seen from both ends.
func connected(t *testing.T) (client, server *Conn) {
	t.Helper()
	n := New()
	l, err := n.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := n.DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return c.(*Conn), s.(*Conn)
}

func TestBothEndsNameTheSameAddresses(t *testing.T) {
	c, s := connected(t)
	if c.LocalAddr().String() != s.RemoteAddr().String() || c.RemoteAddr().String() != s.LocalAddr().String() {
		t.Errorf("%v-%v and %v-%v", c.LocalAddr(), c.RemoteAddr(), s.LocalAddr(), s.RemoteAddr())
	}
}

func TestEveryDialHasItsOwnAddress(t *testing.T) {
	n, seen := New(), map[string]bool{}
	l, _ := n.Listen("tcp", "127.0.0.1:0")
	for range 100 {
		c, err := n.DialContext(t.Context(), "tcp", l.Addr().String())
		if err != nil || seen[c.LocalAddr().String()] {
			t.Fatalf("%v: %v", c.LocalAddr(), err)
		}
		seen[c.LocalAddr().String()] = true
	}
}

func TestListenPicksFreePorts(t *testing.T) {
	n := New()
	first, _ := n.Listen("tcp", ":0")
	second, _ := n.Listen("tcp4", "127.0.0.1:0")
	if first.Addr().String() == second.Addr().String() {
		t.Error("both", first.Addr())
	}
	if _, err := n.Listen("tcp", second.Addr().String()); !errors.Is(err, syscall.EADDRINUSE) {
		t.Error(err)
	}
	second.Close()
	if _, err := n.Listen("tcp", second.Addr().String()); err != nil {
		t.Errorf("after Close: %v", err)
	}
}

func TestDialFindsListeners(t *testing.T) {
	n := New()
	for _, listen := range []string{":80", "127.0.0.2:81", "localhost:82", "[::1]:83", "0.0.0.0:84"} {
		if _, err := n.Listen("tcp", listen); err != nil {
			t.Fatal(err)
		}
	}
	for addr, want := range map[string]error{
		"127.0.0.1:80": nil, "[::1]:80": nil, "127.0.0.2:81": nil, "127.0.0.1:82": nil, "[::1]:83": nil, "127.0.0.9:84": nil,
		"127.0.0.1:81": syscall.ECONNREFUSED, "127.0.0.1:9": syscall.ECONNREFUSED,
	} {
		if _, err := n.DialContext(t.Context(), "tcp", addr); !errors.Is(err, want) {
			t.Errorf("%s: %v", addr, err)
		}
	}
	var dns *net.DNSError
	if _, err := n.DialContext(t.Context(), "tcp", "example.org:80"); !errors.As(err, &dns) || !dns.IsNotFound {
		t.Error(err)
	}
	if _, err := n.DialContext(t.Context(), "udp", "127.0.0.1:80"); !errors.As(err, new(net.UnknownNetworkError)) {
		t.Error(err)
	}
}

func TestAClosedListenerRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New()
		l, _ := n.Listen("tcp", "127.0.0.1:0")
		waiting, err := n.DialContext(t.Context(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		if _, err := n.DialContext(t.Context(), "tcp", l.Addr().String()); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Error(err)
		}
		if _, err := waiting.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("never accepted: %v", err)
		}
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
}

func TestCloseWakesAccept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, _ := New().Listen("tcp", ":0")
		time.AfterFunc(time.Second, func() { l.Close() })
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
}

func TestAFullBacklogMakesDialsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New()
		l, _ := n.Listen("tcp", ":80")
		for range Backlog {
			if _, err := n.DialContext(t.Context(), "tcp", "127.0.0.1:80"); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if _, err := n.DialContext(ctx, "tcp", "127.0.0.1:80"); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 300*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		time.AfterFunc(600*time.Millisecond, func() { _, _ = l.Accept() })
		if _, err := n.DialContext(t.Context(), "tcp", "127.0.0.1:80"); err != nil || time.Since(start) != 1300*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

func TestDialWithAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := New()
	_, _ = n.Listen("tcp", ":80")
	if _, err := n.DialContext(ctx, "tcp", "127.0.0.1:80"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
