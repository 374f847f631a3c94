package extclient

import (
	"net/http"
	"time"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// operation is the message that asks for a call. What the client does not
// claim is not in it.
func (s *session) operation(c *variants.Call) adapter.Operation {
	p := c.Policy
	m := adapter.Operation{Type: adapter.TypeOperation, Op: c.Op, Client: c.Client, URL: c.URL, Method: http.MethodGet, BudgetMs: clock.InMs(p.Budget),
		Policy: adapter.Policy{MaxAttempts: p.MaxAttempts, BackoffMs: []float64{}, RetryableStatuses: append([]int{}, p.RetryableStatuses...), RetryableFailures: []string{}},
		Attempt: adapter.Limits{TotalMs: limitMs(p.Limits.Total), ConnectMs: limitMs(p.Limits.Connect),
			SockConnectMs: limitMs(p.Limits.SockConnect), SockReadMs: limitMs(p.Limits.SockRead)}}
	for _, pause := range p.Backoff {
		m.Policy.BackoffMs = append(m.Policy.BackoffMs, clock.InMs(pause))
	}
	for _, failure := range p.RetryableFailures {
		m.Policy.RetryableFailures = append(m.Policy.RetryableFailures, string(failure))
	}
	s.claimed(c, &m)
	return m
}

// claimed adds what only some clients can be asked for.
func (s *session) claimed(c *variants.Call, m *adapter.Operation) {
	if s.can(adapter.CanBody) {
		m.BodyBytes, m.IdempotencyKey = c.BodyBytes, c.IdempotencyKey
	}
	if c.Method != "" && (c.Method == http.MethodHead || s.can(adapter.CanBody)) {
		m.Method = c.Method
	}
	if c.CallerDeadline != nil && s.can(adapter.CanCallerDeadline) {
		m.CallerDeadlineMs = new(clock.InMs(*c.CallerDeadline))
	}
	if s.can(adapter.CanPool) && c.PoolLimit+c.PoolPerHost > 0 {
		m.Pool = &adapter.Pool{Limit: c.PoolLimit, LimitPerHost: c.PoolPerHost}
	}
	if s.can(adapter.CanSlots) {
		m.Slots = c.Slots
	}
}

// limitMs is a limit of zero as none.
func limitMs(d time.Duration) *float64 {
	if d == 0 {
		return nil
	}
	return new(clock.InMs(d))
}
