package variants

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A dial of the budgeted client ends with its attempt and a little after, or
// when the policy says, if that is earlier.
func TestBudgetedDialsEndWithTheirAttempt(t *testing.T) {
	for _, c := range []struct{ policy, want time.Duration }{
		{0, 200*time.Millisecond + DialSpare},
		{time.Second, 200*time.Millisecond + DialSpare},
		{100 * time.Millisecond, 100 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			attempt, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			s := &spending{env: &Env{Policy: Policy{Limits: Limits{SockConnect: c.policy}}}}
			if got := s.bounded(attempt).Policy.Limits.SockConnect; got != c.want {
				t.Errorf("policy %s: %s, want %s", c.policy, got, c.want)
			}
			if s.env.Policy.Limits.SockConnect != c.policy {
				t.Error("the caller's own policy was changed")
			}
		})
	}
}
