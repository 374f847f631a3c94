package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/deadlinelab/deadlinelab/adapter"
)

// Exit statuses of one call, by its outcome; 0 is a success, 1 anything else.
var statuses = map[string]int{
	adapter.DeadlineExceeded: 20, adapter.AttemptTimeout: 21, adapter.ConnectTimeout: 22, adapter.RetriesExhausted: 23,
	adapter.UnexpectedStatus: 24, adapter.Cancelled: 25, adapter.ConnectError: 26, adapter.TransportError: 27, adapter.Refused: 28,
}

// once makes one call and ends: the process per operation that bench's --exec
// starts. The body goes to stdout, why there is none to stderr.
func once(k kind, url string, settings []string, stdout, stderr io.Writer) int {
	op := adapter.Operation{Type: adapter.TypeOperation, Op: "once", Client: "once", URL: url, Method: "GET", BudgetMs: 1000,
		Policy: adapter.Policy{MaxAttempts: 1}}
	for _, s := range settings {
		if err := set(&op, s); err != nil {
			fmt.Fprintln(stderr, "error:", err)
			return 64
		}
	}
	end, err := finish(k, op)
	if err != nil {
		fmt.Fprintln(stderr, "error:", err)
		return 1
	}
	if end.Outcome == adapter.Success {
		io.WriteString(stdout, end.Body)
		return 0
	}
	fmt.Fprintln(stderr, strings.TrimSpace(end.Outcome+" "+end.Last), end.ErrorType, end.Error)
	if status, ok := statuses[end.Outcome]; ok {
		return status
	}
	return 1
}

// set is one setting of a call, like total_ms=400 or backoff_ms=100,200.
func set(op *adapter.Operation, setting string) error {
	name, text, _ := strings.Cut(setting, "=")
	numbers, ok := parsed(text)
	if !ok {
		return fmt.Errorf("%q: expected a name and a number from 0 to 1e9, like total_ms=400, or several, like backoff_ms=100,200", setting)
	}
	switch name {
	case "budget_ms":
		op.BudgetMs = numbers[0]
	case "max_attempts":
		op.Policy.MaxAttempts = max(1, int(numbers[0]))
	case "backoff_ms":
		op.Policy.BackoffMs = numbers
	case "retry_status":
		op.Policy.RetryableStatuses, op.Policy.RetryableFailures = []int{int(numbers[0])}, []string{adapter.AttemptTimeout}
	default:
		return limit(&op.Attempt, name, &numbers[0])
	}
	return nil
}

func parsed(text string) (numbers []float64, ok bool) {
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil || !(n >= 0 && n <= 1e9) {
			return nil, false
		}
		numbers = append(numbers, n)
	}
	return numbers, true
}

func limit(l *adapter.Limits, name string, ms *float64) error {
	switch name {
	case "total_ms":
		l.TotalMs = ms
	case "connect_ms":
		l.ConnectMs = ms
	case "sock_connect_ms":
		l.SockConnectMs = ms
	case "sock_read_ms":
		l.SockReadMs = ms
	default:
		return fmt.Errorf("%q: expected budget_ms, max_attempts, backoff_ms, retry_status, total_ms, connect_ms, sock_connect_ms or sock_read_ms", name)
	}
	return nil
}

// finish makes the call as the bench would, and tells how it ended.
func finish(k kind, op adapter.Operation) (end adapter.Event, err error) {
	in, asks := io.Pipe()
	answers, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		err := adapter.Serve(context.Background(), in, out, k.hello(), k.client)
		out.Close()
		served <- err
	}()
	go func() {
		lines := json.NewEncoder(asks)
		lines.Encode(adapter.Hello{Type: adapter.TypeHello, Protocol: adapter.Protocol})
		lines.Encode(op)
	}()
	for lines := bufio.NewScanner(answers); lines.Scan(); {
		var e adapter.Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return end, err
		}
		if e.Event == adapter.OperationFinished {
			end = e
			asks.Close()
		}
	}
	return end, <-served
}
