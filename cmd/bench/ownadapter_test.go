package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
)

// ownAdapter is a good adapter with one flaw, in what it hears or in what it
// says; without an argument it has none.
func ownAdapter() {
	flaw := flaws[append(os.Args[1:], "")[0]]
	heard, tells := io.Pipe()
	says, said := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		filter(says, os.Stdout, flaw.says)
	}()
	go func() {
		filter(os.Stdin, tells, flaw.hears)
		if flaw.stays {
			time.Sleep(time.Hour)
		}
		tells.Close()
	}()
	hello := adapter.Hello{Name: "myadapter", Version: "1", Settings: map[string]string{"deadline": "the budget"},
		Capabilities: []string{adapter.CanCancel, adapter.CanPool, adapter.CanSlots, adapter.CanAttempts, adapter.CanBackoff}}
	err := adapter.Serve(context.Background(), heard, said, hello, newOwn)
	said.Close()
	<-ended
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(flaw.lastWord)
	os.Exit(flaw.status)
}

// filter hands lines on; change may alter one, and nil drops it.
func filter(from io.Reader, to io.Writer, change func(m map[string]any) map[string]any) {
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		line := bytes.Clone(lines.Bytes())
		if change != nil {
			m := map[string]any{}
			d := json.NewDecoder(bytes.NewReader(line))
			d.UseNumber()
			if d.Decode(&m) != nil {
				continue
			}
			if m = change(m); m == nil {
				continue
			}
			line, _ = json.Marshal(m)
		}
		if _, err := to.Write(append(line, '\n')); err != nil {
			return
		}
	}
}

// own is a client with one deadline, retries and slots.
type own struct{ http *http.Transport }

func newOwn(first adapter.Operation) adapter.Client {
	pool := &http.Transport{}
	if first.Pool != nil {
		pool.MaxConnsPerHost = first.Pool.Limit
	}
	return &own{pool}
}

func (o *own) Close() { o.http.CloseIdleConnections() }

func (o *own) Call(ctx context.Context, op adapter.Operation, s *adapter.Session) adapter.Result {
	ctx, cancel := s.WithDeadline(ctx)
	defer cancel()
	if err := s.Acquire(ctx); err != nil {
		return adapter.Result{Err: err}
	}
	defer s.Release()
	for attempt := 1; ; attempt++ {
		r := o.once(ctx, op)
		if r.Status != http.StatusServiceUnavailable || attempt >= op.Policy.MaxAttempts {
			return r
		}
		if err := s.Pause(ctx, adapter.Ms(op.Policy.BackoffMs[min(attempt, len(op.Policy.BackoffMs))-1])); err != nil {
			return adapter.Result{Err: err}
		}
	}
}

func (o *own) once(ctx context.Context, op adapter.Operation) adapter.Result {
	req, err := http.NewRequestWithContext(ctx, op.Method, op.URL, nil)
	if err != nil {
		return adapter.Result{Err: err}
	}
	resp, err := adapter.NewTransport(o.http).RoundTrip(req)
	if err != nil {
		return adapter.Result{Err: err}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return adapter.Result{Status: resp.StatusCode, Body: body, Err: err}
}
