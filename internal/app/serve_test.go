package app

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/serve"
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
			if err == nil || !strings.Contains(err.Error(), c.problem) || exit.CodeOf(err) != exit.Usage {
				t.Errorf("%s: error %v with code %d, expected %q and %d", c.listen, err, exit.CodeOf(err), c.problem, exit.Usage)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.listen, err)
			continue
		}
		var said strings.Builder
		if o.announce(console.Streams{Out: &said}, l.Addr(), access); !strings.HasPrefix(said.String(), "serving http://") || !strings.Contains(said.String(), c.url) {
			t.Errorf("%s: says %s, expected %s in it", c.listen, said.String(), c.url)
		}
		l.Close()
	}
}

// Behind a wildcard address others are told one that they can open.
func TestHostsOf(t *testing.T) {
	var own []net.Addr
	for _, text := range []string{"127.0.0.1/8", "192.0.2.7/24", "::1/128", "fe80::1/64", "2001:db8::7/64"} {
		ip, n, _ := net.ParseCIDR(text)
		own = append(own, &net.IPNet{IP: ip, Mask: n.Mask})
	}
	for _, c := range []struct {
		listening string
		names     []string
		want      string
	}{
		{"0.0.0.0", nil, "192.0.2.7 localhost"},
		{"::", nil, "192.0.2.7 2001:db8::7 localhost"},
		{"127.0.0.1", nil, "127.0.0.1"},
		{"192.0.2.7", []string{"lab.example"}, "lab.example"},
	} {
		if got := strings.Join(hostsOf(net.ParseIP(c.listening), serve.Access{Names: c.names}, own), " "); got != c.want {
			t.Errorf("%s: %q, expected %q", c.listening, got, c.want)
		}
	}
}

// A third connection waits until one of two is closed.
func TestFewConnections(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := lab.NewFewConnections(inner, 2)
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
		if got := paced(plan); got < c.least || got > c.most {
			t.Errorf("%s, %d operations: %d at once, expected %d to %d", c.name, c.operations, got, c.least, c.most)
		}
	}
}
