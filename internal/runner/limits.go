package runner

import (
	"context"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// limiter ends an attempt from inside: connect_ms while it waits for a
// connection, sock_read_ms while nothing arrives. net/http has a timer for
// neither. Each gives its own cause.
type limiter struct {
	limits variants.Limits
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	connect *time.Timer
	read    *time.Timer
	ended   bool
}

// connecting arms connect_ms: the wait for a connection begins.
func (l *limiter) connecting() {
	l.mu.Lock()
	defer l.mu.Unlock()
	disarm(&l.connect)
	disarm(&l.read)
	l.connect = l.arm("connect_ms", l.limits.Connect)
}

// connected disarms connect_ms.
func (l *limiter) connected() {
	l.mu.Lock()
	defer l.mu.Unlock()
	disarm(&l.connect)
}

// reading arms sock_read_ms: the request is written.
func (l *limiter) reading() {
	l.mu.Lock()
	defer l.mu.Unlock()
	disarm(&l.read)
	l.read = l.arm("sock_read_ms", l.limits.SockRead)
}

// arrived arms sock_read_ms anew, if it is armed: bytes came in.
func (l *limiter) arrived() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.read != nil {
		l.read.Reset(l.limits.SockRead)
	}
}

// over disarms everything: the attempt has ended.
func (l *limiter) over() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	disarm(&l.connect)
	disarm(&l.read)
}

func (l *limiter) arm(name string, d time.Duration) *time.Timer {
	if d <= 0 || l.ended {
		return nil
	}
	return time.AfterFunc(d, func() { l.cancel(&variants.LimitError{Limit: name, After: d}) })
}

func disarm(t **time.Timer) {
	if *t != nil {
		(*t).Stop()
		*t = nil
	}
}
