package labserver

import (
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
)

// phone is a connection to the control API on which text was sent.
func (l *lab) phone(text string) net.Conn {
	l.Helper()
	c := must(l.net.DialContext(l.Context(), "tcp", strings.TrimPrefix(l.base, "http://")))(l)
	if text != "" {
		must(io.WriteString(c, text))(l)
	}
	synctest.Wait()
	return c
}

// ending is what came on a connection until its end, and after how long that was.
func (l *lab) ending(c net.Conn) (first string, after time.Duration) {
	l.Helper()
	start := time.Now()
	text, _ := io.ReadAll(c) // a reset is an end as well
	first, _, _ = strings.Cut(string(text), "\r\n")
	return first, time.Since(start)
}

const withToken = "Host: 127.0.0.1\r\nAuthorization: Bearer " + testToken + "\r\n"

// Whoever is not let in does not stay, also if it keeps its body to itself.
func TestRefusedConnectionsEnd(t *testing.T) {
	for request, most := range map[string]time.Duration{
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n":                                          0,
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{":                 toldWithin,
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n": toldWithin,
	} {
		inLab(t, Config{}, func(l *lab) {
			c := l.phone(request)
			defer c.Close()
			if answer, after := l.ending(c); answer != "HTTP/1.1 401 Unauthorized" || after > most {
				l.Errorf("%q: %q, closed after %v", request, answer, after)
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if s := &l.server.callers; len(s.strangers)+len(s.idle) != 0 {
				l.Errorf("%q: %d strangers and %d idle are left", request, len(s.strangers), len(s.idle))
			}
		})
	}
}

// The oldest of too many strangers go, so that there is always a place for one
// more, and who was let in goes after them.
func TestStrangersMakeRoom(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		const most = 4
		l.server.callers.most = most
		must(l.Health(l.Context()))(l) // leaves an idle connection
		var strangers []net.Conn
		for range 3 * most {
			strangers = append(strangers, l.phone("GET / HTTP/1.1\r\nX-Drip: "))
			defer strangers[len(strangers)-1].Close()
		}
		for i, c := range strangers {
			c.SetReadDeadline(time.Now().Add(time.Millisecond))
			_, err := c.Read(make([]byte, 1))
			if closed := err == io.EOF; closed != (i < 2*most+1) {
				l.Errorf("stranger %d: %v", i, err)
			}
		}
		must(l.Health(l.Context()))(l)
		synctest.Wait()
		if s := &l.server.callers; len(s.strangers) != most-1 || len(s.idle) != 1 {
			l.Errorf("%d strangers and %d idle connections are left", len(s.strangers), len(s.idle))
		}
	})
}

// A connection that was let in and asks for nothing more is closed, as is one
// whose body does not come.
func TestSilentCallersAreClosed(t *testing.T) {
	for _, c := range []struct {
		request, want string
		after         time.Duration
	}{
		{"GET /v1/health HTTP/1.1\r\n" + withToken + "\r\n", "HTTP/1.1 200 OK", idleWithin},
		{"POST /v1/experiments HTTP/1.1\r\n" + withToken + "Content-Length: 9\r\n\r\n{", "HTTP/1.1 408 Request Timeout", bodyWithin},
		{"GET /v1/health HTTP/1.1\r\n" + withToken + "Content-Length: 9\r\n\r\n{", "HTTP/1.1 200 OK", bodyWithin},
	} {
		inLab(t, Config{}, func(l *lab) {
			conn := l.phone(c.request)
			defer conn.Close()
			if answer, after := l.ending(conn); answer != c.want || after != c.after {
				l.Errorf("%q: %q, closed after %v", c.request, answer, after)
			}
		})
	}
}

// What waits because it was asked to is bounded by none of this: a stream and a
// gate outlive every limit while strangers come and go.
func TestWaitsLiveOn(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		l.server.callers.most = 2
		ops := l.experiment("{type: healthy}", op("op-1"))
		taken := must(l.Take(l.Context(), "x"))(l)
		lines := make(chan int)
		go func() {
			text, _ := io.ReadAll(taken)
			taken.Close()
			lines <- strings.Count(string(text), "\n")
		}()
		gate := make(chan error)
		go func() {
			_, err := l.Held(l.Context(), "x", "op-1", 1, 8*time.Minute)
			gate <- err
		}()
		start := time.Now()
		for range 8 {
			defer l.phone("").Close()
			time.Sleep(time.Minute - time.Second)
		}
		err := <-gate
		if api, ok := err.(*control.APIError); !ok || !api.TimedOut() || time.Since(start) != 8*time.Minute {
			l.Errorf("the gate ended with %v after %v", err, time.Since(start))
		}
		l.get(ops[0].BaseURL)
		tally := must(l.Delete(l.Context(), "x"))(l)
		if n := <-lines; n != int(tally.LastSeq) {
			l.Errorf("%d lines of %d events", n, tally.LastSeq)
		}
	})
}

// A caller's body has all its time; what it asks for is not measured by it.
func TestBodyInTime(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		c := l.phone("PUT /v1/experiments/x/operations/a HTTP/1.1\r\n" + withToken + "Content-Length: 2\r\n\r\n{")
		defer c.Close()
		time.Sleep(bodyWithin - time.Millisecond)
		must(io.WriteString(c, "}"))(l)
		if answer, after := l.ending(c); answer != "HTTP/1.1 404 Not Found" || after != idleWithin {
			l.Errorf("%q, closed after %v", answer, after)
		}
	})
}
