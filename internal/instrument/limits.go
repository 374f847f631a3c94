package instrument

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
	readDue time.Time // when read ends the attempt
	ended   bool
}

// connecting arms connect_ms: the wait for a connection begins.
func (l *limiter) connecting() {
	l.mu.Lock()
	defer l.mu.Unlock()
	disarm(&l.connect)
	disarm(&l.read)
	due := time.Now().Add(l.limits.Connect)
	l.connect = l.arm(l.limits.Connect, func() *variants.LimitError {
		return &variants.LimitError{Limit: "connect_ms", After: l.limits.Connect, Due: due}
	})
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
	l.readDue = time.Now().Add(l.limits.SockRead)
	l.read = l.arm(l.limits.SockRead, l.silent)
}

// arrived arms sock_read_ms anew, if it is armed: bytes came in.
func (l *limiter) arrived() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.read != nil {
		l.readDue = time.Now().Add(l.limits.SockRead)
		l.read.Reset(l.limits.SockRead)
	}
}

// silent is what sock_read_ms ends the attempt with.
func (l *limiter) silent() *variants.LimitError {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &variants.LimitError{Limit: "sock_read_ms", After: l.limits.SockRead, Due: l.readDue}
}

// over disarms everything: the attempt has ended.
func (l *limiter) over() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	disarm(&l.connect)
	disarm(&l.read)
}

func (l *limiter) arm(d time.Duration, cause func() *variants.LimitError) *time.Timer {
	if d <= 0 || l.ended {
		return nil
	}
	return time.AfterFunc(d, func() { l.cancel(cause()) })
}

func disarm(t **time.Timer) {
	if *t != nil {
		(*t).Stop()
		*t = nil
	}
}
