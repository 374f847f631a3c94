package memnet

import (
	"bytes"
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

func send(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if n, err := io.WriteString(c, text); err != nil || n != len(text) {
		t.Fatalf("wrote %d: %v", n, err)
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
