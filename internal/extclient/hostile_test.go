package extclient

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/clock"
)

func init() {
	programs["adapter"] = func(args []string) {
		can := []string{adapter.CanCancel, adapter.CanSlots}
		if len(args) > 0 {
			can = adapter.Capabilities
		}
		wellBehaved(can)
	}
	programs["hostile"] = func(args []string) { hostile[args[0]](newHostile()) }
	programs["linger"] = func([]string) { time.Sleep(time.Minute) }
}

// wellBehaved is an adapter as package adapter makes them.
func wellBehaved(can []string) {
	hello := adapter.Hello{Name: "net/http", Version: "1", Settings: map[string]string{"timeout": "budget"}, Capabilities: can}
	err := adapter.Serve(context.Background(), os.Stdin, os.Stdout, hello, func(adapter.Operation) adapter.Client {
		return adapter.Func(func(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
			ctx, cancel := s.WithDeadline(ctx)
			defer cancel()
			req, err := http.NewRequestWithContext(ctx, op.Method, op.URL, nil)
			if err != nil {
				return adapter.Result{Err: err}
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				return adapter.Result{Err: err}
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			return adapter.Result{Status: resp.StatusCode, Body: body, Err: err}
		})
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// hostileClient is an adapter that means no good.
type hostileClient struct {
	in  *bufio.Scanner
	clk clock.Clock
}

func newHostile() *hostileClient {
	return &hostileClient{in: bufio.NewScanner(os.Stdin), clk: clock.New()}
}

// hear waits for the next message; at the end of the input it waits for its own.
func (h *hostileClient) hear() (m struct{ Type, Op string }) {
	if !h.in.Scan() {
		time.Sleep(time.Minute)
	}
	_ = json.Unmarshal(h.in.Bytes(), &m)
	return m
}

func (h *hostileClient) say(m map[string]any) {
	line, _ := json.Marshal(m)
	os.Stdout.Write(append(line, '\n'))
}

func (h *hostileClient) hello(protocol int) {
	h.hear()
	h.say(map[string]any{"type": "hello", "protocol": protocol, "name": "hostile", "version": "1", "clock": "monotonic", "capabilities": []string{"cancel"}})
}

// begun is an operation that has begun.
func (h *hostileClient) begun() (op string) {
	h.hello(1)
	for m := h.hear(); ; m = h.hear() {
		if m.Type == adapter.TypeOperation {
			h.event(m.Op, adapter.OperationStarted, "")
			return m.Op
		}
	}
}

func (h *hostileClient) event(op, kind, outcome string) {
	m := map[string]any{"type": "event", "op": op, "event": kind, "t_ns": h.clk.Now()}
	if outcome != "" {
		m["outcome"] = outcome
	}
	h.say(m)
}

// fork starts a process that holds the standard streams for a minute.
func fork(own func(*exec.Cmd)) {
	self, _ := os.Executable()
	child := exec.Command(self, "as", "linger")
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	own(child)
	if err := child.Start(); err != nil {
		panic(err)
	}
}

// hostile are the ways to be one.
var hostile = map[string]func(h *hostileClient){
	"garbage":        func(h *hostileClient) { h.begun(); fmt.Println("Traceback (most recent call last):"); h.hear() },
	"wrong protocol": func(h *hostileClient) { h.hello(2); h.hear() },
	"no hello":       func(*hostileClient) { fmt.Fprintln(os.Stderr, "usage: client NAME"); os.Exit(64) },
	"crash": func(h *hostileClient) {
		h.begun()
		fmt.Fprintln(os.Stderr, "out of\x07 luck")
		os.Exit(3)
	},
	"exit 0": func(h *hostileClient) { h.begun() },
	"killed": func(h *hostileClient) {
		h.begun()
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		time.Sleep(time.Minute)
	},
	"1 GB on one line": func(h *hostileClient) {
		h.begun()
		text := bytes.Repeat([]byte("x"), 1<<20)
		for range 1 << 10 {
			if _, err := os.Stdout.Write(text); err != nil {
				time.Sleep(time.Minute)
			}
		}
	},
	"1 GB on stderr": func(h *hostileClient) {
		h.begun()
		text := []byte(strings.Repeat(strings.Repeat("x", 1023)+"\n", 1024))
		for range 1 << 10 {
			os.Stderr.Write(text)
		}
		time.Sleep(time.Minute)
	},
	"flood": func(h *hostileClient) {
		for op := h.begun(); ; {
			h.event(op, adapter.BackoffFinished, "")
		}
	},
	"closes its output": func(h *hostileClient) { h.begun(); os.Stdout.Close(); h.hear(); time.Sleep(time.Minute) },
	"forks":             func(h *hostileClient) { h.begun(); fork(func(*exec.Cmd) {}) },
	"forks away":        func(h *hostileClient) { h.begun(); fork(ownSession) },
	"finished twice": func(h *hostileClient) {
		op := h.begun()
		h.event(op, adapter.OperationFinished, "refused")
		h.event(op, adapter.OperationFinished, "refused")
		h.hear()
	},
	"never finishes": func(h *hostileClient) {
		h.begun()
		for {
			h.hear()
		}
	},
}
