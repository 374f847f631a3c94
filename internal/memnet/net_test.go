package memnet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"sync"
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

func send(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if n, err := io.WriteString(c, text); err != nil || n != len(text) {
		t.Fatalf("wrote %d: %v", n, err)
	}
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

func TestCloseIsAFinAfterTheData(t *testing.T) {
	c, s := connected(t)
	send(t, c, "last words")
	c.Close()
	got, err := io.ReadAll(s)
	if string(got) != "last words" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := s.Write([]byte("too late")); !errors.Is(err, syscall.EPIPE) {
		t.Error(err)
	}
}

func TestCloseWithUnreadDataIsAReset(t *testing.T) {
	c, s := connected(t)
	send(t, s, "answer")
	send(t, c, "unread")
	s.Close()
	got := make([]byte, 10)
	if n, err := c.Read(got); string(got[:n]) != "answer" || err != nil {
		t.Errorf("%q, %v", got[:n], err)
	}
	if _, err := c.Read(got); !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
	if _, err := c.Write(got); !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
}

func TestLingerZeroIsAReset(t *testing.T) {
	c, s := connected(t)
	_ = s.SetLinger(0)
	s.Close()
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
}

func TestCloseWriteLeavesTheWayBackOpen(t *testing.T) {
	c, s := connected(t)
	send(t, c, "question")
	c.CloseWrite()
	if got, err := io.ReadAll(s); string(got) != "question" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	send(t, s, "answer")
	s.Close()
	if got, err := io.ReadAll(c); string(got) != "answer" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := c.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
		t.Error(err)
	}
}

func TestNothingWorksAfterOnesOwnClose(t *testing.T) {
	c, _ := connected(t)
	c.Close()
	_, read := c.Read(make([]byte, 1))
	_, write := c.Write([]byte("x"))
	for name, err := range map[string]error{"read": read, "write": write, "close": c.Close(), "closewrite": c.CloseWrite(), "deadline": c.SetDeadline(time.Now())} {
		var op *net.OpError
		if !errors.Is(err, net.ErrClosed) || !errors.As(err, &op) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCloseWakesBothEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := connected(t)
		time.AfterFunc(time.Second, func() { c.Close() })
		var ends sync.WaitGroup
		ends.Go(func() {
			if _, err := c.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
				t.Error(err)
			}
		})
		ends.Go(func() {
			if _, err := s.Read(make([]byte, 1)); err != io.EOF {
				t.Error(err)
			}
		})
		ends.Wait()
	})
}

// A writer goes on exactly when its reader has made room.
func TestWriteWaitsForRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := connected(t)
		start, text := time.Now(), bytes.Repeat([]byte("0123456789abcdef"), BufferSize/8)
		var got []byte
		var reader sync.WaitGroup
		reader.Go(func() {
			time.Sleep(250 * time.Millisecond)
			got, _ = io.ReadAll(s)
		})
		if n, err := c.Write(text); n != len(text) || err != nil || time.Since(start) != 250*time.Millisecond {
			t.Errorf("%d, %v after %v", n, err, time.Since(start))
		}
		c.Close()
		if reader.Wait(); !bytes.Equal(got, text) {
			t.Errorf("%d bytes of %d", len(got), len(text))
		}
	})
}

func TestAWaitingWriteEndsWithItsPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := connected(t)
		time.AfterFunc(time.Second, func() { s.Close() })
		n, err := c.Write(make([]byte, BufferSize+1))
		if n != BufferSize || !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("%d, %v", n, err)
		}
	})
}

func TestConcurrentWritesDoNotMix(t *testing.T) {
	c, s := connected(t)
	var writers sync.WaitGroup
	for _, letter := range []string{"a", "b", "c"} {
		writers.Go(func() { _, _ = io.WriteString(c, strings.Repeat(letter, 2*BufferSize)) })
	}
	go func() { writers.Wait(); c.Close() }()
	got, _ := io.ReadAll(s)
	if n := len(got); n != 6*BufferSize {
		t.Fatal(n)
	}
	for at := 0; at < len(got); at += 2 * BufferSize {
		if bytes.Count(got[at:at+2*BufferSize], got[at:at+1]) != 2*BufferSize {
			t.Errorf("two writes are mixed at %d", at)
		}
	}
}

func TestDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := connected(t)
		start := time.Now()
		_ = c.SetDeadline(start.Add(time.Second))
		_, err := c.Read(make([]byte, 1))
		if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		var timeout net.Error
		if _, err := c.Write([]byte("x")); !errors.As(err, &timeout) || !timeout.Timeout() {
			t.Error(err)
		}
		_ = c.SetWriteDeadline(time.Time{})
		if _, err := c.Write([]byte("x")); err != nil {
			t.Error(err)
		}
	})
}

func TestADeadlineActsOnACallThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := connected(t)
		start := time.Now()
		_ = c.SetReadDeadline(start.Add(time.Hour))
		time.AfterFunc(time.Second, func() { _ = c.SetReadDeadline(start.Add(3 * time.Second)) })
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) != 3*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}
