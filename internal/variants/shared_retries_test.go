package variants

import "testing"

// Fifty callers that all fail may repeat a tenth of their calls: 55 attempts.
func TestRetryBudget(t *testing.T) {
	b := &RetryBudget{}
	if b.Call(); b.Retry(10) {
		t.Error("a retry of a single call is more than 10 %")
	}
	for range 49 {
		b.Call()
	}
	allowed := 0
	for range 100 {
		if b.Retry(10) {
			allowed++
		}
	}
	if allowed != 5 {
		t.Errorf("%d retries for 50 calls", allowed)
	}
}

// Without a budget in common nothing but the policy bounds retries.
func TestNoRetryBudget(t *testing.T) {
	var b *RetryBudget
	if b.Call(); !b.Retry(0) {
		t.Error("a caller of its own was refused")
	}
}
