package labserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/scenarios"
)

// choices is what a fuzzer's bytes decide, one after the other; zero once they
// are used up.
type choices []byte

func (c *choices) below(n int) int {
	if len(*c) == 0 {
		return 0
	}
	chosen := int((*c)[0]) % n
	*c = (*c)[1:]
	return chosen
}

func one[T any](c *choices, from ...T) T { return from[c.below(len(from))] }

// FuzzConnection has two requests on one connection to a fault: any method, any
// body, sent in pieces, the second before the first is answered or after. A
// client may do all of that, and none of it may hurt labserver.
func FuzzConnection(f *testing.F) {
	faults := everyFault(f)
	for i := range faults {
		f.Add([]byte{byte(i), 2, 2, 1, 0, 0, 0, 0, 2, 2, 1, 0, 0, 0, 0})
		f.Add([]byte{byte(i), 2, 4, 1, 2, 1, 0, 3, 1, 0, 0, 0, 0, 0, 1})
	}
	f.Fuzz(func(t *testing.T, chosen []byte) {
		c := choices(chosen)
		var defects bytes.Buffer
		inLab(t, Config{ErrorLog: log.New(&defects, "", 0)}, func(l *lab) {
			must(l.Create(l.Context(), control.ExperimentRequest{Name: "x", Scenario: faults[c.below(len(faults))]}))(l)
			ops := must(l.Register(l.Context(), "x", []control.OperationRequest{op("op-1")}))(l)
			l.converse(&c, ops[0].BaseURL)
			l.checkAlive()
		})
		if strings.Contains(defects.String(), "panic") {
			t.Error(defects.String())
		}
	})
}

// everyFault is the text of each shipped scenario, and of those that found
// something, as the control API takes it.
func everyFault(t testing.TB) []json.RawMessage {
	faults := []json.RawMessage{
		upstream("{type: transient_error, steps: [{status: 503, delay_ms: 0}, {status: 503, delay_ms: 0}, {status: 200, delay_ms: 0}]}"),
		upstream(`{type: retry_after, value: "0"}`),
	}
	err := fs.WalkDir(scenarios.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		text, err := fs.ReadFile(scenarios.Files, path)
		quoted, _ := json.Marshal(string(text))
		faults = append(faults, quoted)
		return err
	})
	if err != nil || len(faults) < 50 {
		t.Fatal(len(faults), err)
	}
	return faults
}

// converse sends the two requests and reads whatever comes.
func (l *lab) converse(c *choices, base string) {
	target := must(url.Parse(base))(l)
	ctx, cancel := context.WithTimeout(l.Context(), time.Minute)
	defer cancel()
	conn, err := l.net.DialContext(ctx, "tcp", target.Host)
	if err != nil {
		return // a fault of the connection
	}
	go io.Copy(io.Discard, conn)
	for range 2 {
		l.say(c, conn, target.Path)
		time.Sleep(one(c, 0, time.Millisecond, 300*time.Millisecond, 20*time.Second))
	}
	if linger := one(c, -1, 0); linger == 0 {
		conn.(interface{ SetLinger(int) error }).SetLinger(0)
	}
	conn.Close()
}

// say sends one request, its body in two pieces, perhaps not all of it.
func (l *lab) say(c *choices, conn net.Conn, path string) {
	method := one(c, "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE")
	body := strings.Repeat("x", one(c, 0, 1, 100, 5000, 70_000, 300_000))
	framing, sent := frame(one(c, "none", "length", "chunked"), body)
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: x\r\n%s%s\r\n", method, path, framing, one(c, "", "Expect: 100-continue\r\n", "Connection: close\r\n"))
	first := len(sent) * one(c, 10, 0, 5, 9) / 10
	conn.SetWriteDeadline(time.Now().Add(time.Minute))
	io.WriteString(conn, head+sent[:first])
	time.Sleep(one(c, 0, time.Millisecond, 50*time.Millisecond, time.Second))
	if cut := one(c, false, true); !cut {
		io.WriteString(conn, sent[first:])
	}
}

func frame(how, body string) (header, sent string) {
	switch how {
	case "length":
		return fmt.Sprintf("Content-Length: %d\r\n", len(body)), body
	case "chunked":
		if body != "" {
			sent = fmt.Sprintf("%x\r\n%s\r\n", len(body), body)
		}
		return "Transfer-Encoding: chunked\r\n", sent + "0\r\n\r\n"
	}
	return "", ""
}

// checkAlive ends the experiment: every handler has ended, nothing panicked and
// nothing is lost.
func (l *lab) checkAlive() {
	l.Helper()
	time.Sleep(5 * time.Minute)
	synctest.Wait()
	begun, events := 0, l.page()
	for _, e := range events {
		switch e.Kind {
		case eventlog.ServerRequestStarted:
			begun++
		case eventlog.ServerHandlerFinished:
			begun--
		case eventlog.ServerFailed:
			l.Errorf("%+v", e)
		}
	}
	if tally := must(l.Delete(l.Context(), "x"))(l); begun != 0 || tally.Lost != 0 || len(tally.Busy) != 0 {
		l.Errorf("%d handlers have not ended: %+v", begun, tally)
	}
}
