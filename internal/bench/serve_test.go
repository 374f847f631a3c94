package bench

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// What can be reached from other machines needs a token.
func TestServeListens(t *testing.T) {
	for _, c := range []struct {
		listen, token, url, problem string
	}{
		{"127.0.0.1:0", "", "http://127.0.0.1:", ""},
		{"[::1]:0", "", "http://[::1]:", ""},
		{"localhost:0", "", "http://localhost:", ""},
		{"127.0.0.1:0", "key", "/?token=key", ""},
		{"0.0.0.0:0", "key", "http://localhost:", ""},
		{"0.0.0.0:0", "", "", "expected a --token, or a loopback address"},
		{":0", "", "", "expected a --token, or a loopback address"},
		{"8080", "", "", "expected host:port"},
		{"192.0.2.1:0", "key", "", "--listen 192.0.2.1:0"},
	} {
		o := ServeOptions{Listen: c.listen, Token: c.token}
		l, access, err := o.listen()
		if c.problem != "" {
			if err == nil || !strings.Contains(err.Error(), c.problem) || CodeOf(err) != ExitUsage {
				t.Errorf("%s: error %v with code %d, expected %q and %d", c.listen, err, CodeOf(err), c.problem, ExitUsage)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.listen, err)
			continue
		}
		if url := o.address(l.Addr(), access); !strings.Contains(url, c.url) {
			t.Errorf("%s: address %s, expected %s in it", c.listen, url, c.url)
		}
		l.Close()
	}
}

// A third connection waits until one of two is closed.
func TestFewConnections(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := newFewConnections(inner, 2)
	accepted := make(chan net.Conn)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				close(accepted)
				return
			}
			accepted <- c
		}
	}()
	for range 3 {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	first, second := <-accepted, <-accepted
	select {
	case <-accepted:
		t.Fatal("a third connection was accepted, expected two at most")
	case <-time.After(20 * time.Millisecond):
	}
	first.Close()
	first.Close() // gives its place back once
	third := <-accepted
	second.Close()
	third.Close()
	l.Close()
	if _, open := <-accepted; open {
		t.Error("a connection was accepted after Close")
	}
}

// Thirty operations of about a second each take about six seconds; one of each
// starts at once.
func TestUnhurried(t *testing.T) {
	for _, c := range []struct {
		name              string
		operations, least int
		most              int
	}{{"slow_body", 30, 10, 12}, {"healthy", 30, 4, 4}, {"hang", 30, 40, 50}, {"hang", 1, 4, 4}} {
		s, err := scenario.Load(c.name)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := contrastPlan(s, c.operations)
		if err != nil {
			t.Fatal(err)
		}
		if got := unhurried(plan); got < c.least || got > c.most {
			t.Errorf("%s, %d operations: %d at once, expected %d to %d", c.name, c.operations, got, c.least, c.most)
		}
	}
}
