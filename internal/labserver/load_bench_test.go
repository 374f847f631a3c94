//go:build unix

package labserver

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
)

// served is a server under load: where it listens and what is asked of it.
type served struct{ addr, path string }

// benchLab starts a real labserver with one experiment, whose events are read
// live, as a run does. Operations op0 to op<n-1> are registered.
func benchLab(b *testing.B, fault string, n int) served {
	b.Helper()
	nudge, err := clock.NewNudge()
	if err != nil {
		b.Fatal(err)
	}
	s := New(Config{Clock: clock.New(), Nudge: nudge, Token: testToken, Noise: true})
	base, err := s.Start(loopbackAny)
	if err != nil {
		b.Fatal(err)
	}
	c := control.NewClient(base, testToken, &http.Client{Transport: &http.Transport{}})
	lab := setUp(b, c, fault, n)
	drained := readEvents(b, c)
	b.Cleanup(func() {
		s.Close()
		nudge.Close()
		<-drained
	})
	return lab
}

// readEvents drains the live stream until the server closes.
func readEvents(b *testing.B, c *control.Client) (drained chan struct{}) {
	stream, err := c.Take(context.Background(), "x")
	if err != nil {
		b.Fatal(err)
	}
	drained = make(chan struct{})
	go func() {
		defer close(drained)
		io.Copy(io.Discard, stream)
		stream.Close()
	}()
	return drained
}

// bareAnswer is what labserver is compared with: net/http and nothing else,
// with an answer of the same size.
func bareAnswer(delay time.Duration) http.Handler {
	body := []byte("{\"marker\":\"deadlinelab:op0\"}\n")
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if delay > 0 {
			time.Sleep(delay)
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(body)
	})
}

func bareHandler(b *testing.B) served {
	s := httptest.NewServer(bareAnswer(0))
	b.Cleanup(s.Close)
	return served{s.Listener.Addr().String(), "/op/op"}
}

// caller is a keep-alive connection that costs next to nothing, so that the
// server's own cost shows.
type caller struct {
	conn    net.Conn
	answers *bufio.Reader
	request []byte
}

func (s served) dial(i int) (*caller, error) {
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		return nil, err
	}
	return &caller{conn, bufio.NewReader(conn), []byte("GET " + s.path + strconv.Itoa(i) + "/ HTTP/1.1\r\nHost: lab\r\n\r\n")}, nil
}

// call sends one request and reads its answer, which has a Content-Length.
func (c *caller) call() error {
	if _, err := c.conn.Write(c.request); err != nil {
		return err
	}
	length := 0
	for {
		line, err := c.answers.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) == 2 {
			break
		}
		if value, ok := strings.CutPrefix(string(line), "Content-Length: "); ok {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return err
			}
		}
	}
	_, err := c.answers.Discard(length)
	return err
}

// requests is how many are answered over a number of connections.
func requests(b *testing.B, s served, connections int, within time.Duration) int {
	b.Helper()
	var done atomic.Int64
	var all sync.WaitGroup
	start := time.Now()
	for i := range connections {
		c, err := s.dial(i)
		if err != nil {
			b.Fatal(err)
		}
		all.Go(func() {
			defer c.conn.Close()
			for time.Since(start) < within {
				if err := c.call(); err != nil {
					b.Error(err)
					return
				}
				done.Add(1)
			}
		})
	}
	all.Wait()
	return int(done.Load())
}

// cpuTime is what this process has used so far: it says the same whatever else
// the machine does.
func cpuTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// load is what one server did in its turns.
type load struct {
	served
	requests  int
	cpu, wall time.Duration
}

func (l *load) turn(b *testing.B, connections int, within time.Duration) {
	start, before := time.Now(), cpuTime(b)
	l.requests += requests(b, l.served, connections, within)
	l.cpu += cpuTime(b) - before
	l.wall += time.Since(start)
}

func (l *load) perSecond() float64 { return float64(l.requests) / l.wall.Seconds() }

func (l *load) cpuEach() time.Duration { return l.cpu / time.Duration(l.requests) }

// BenchmarkThroughput compares labserver, its events being read, with a bare
// handler: turn by turn, so that both meet the same machine.
func BenchmarkThroughput(b *testing.B) {
	const connections, turn = 16, 100 * time.Millisecond
	ours := load{served: benchLab(b, `{"type": "slow_headers", "response_delay_ms": 0}`, connections)}
	bare := load{served: bareHandler(b)}
	for b.Loop() {
		bare.turn(b, connections, turn)
		ours.turn(b, connections, turn)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(bare.perSecond(), "bare-req/s")
	b.ReportMetric(ours.perSecond(), "req/s")
	b.ReportMetric(ours.perSecond()/bare.perSecond(), "share")
	b.ReportMetric(float64(bare.cpuEach())/float64(ours.cpuEach()), "cpu-share")
}
