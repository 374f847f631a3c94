package wording

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

func TestUpstreamInWords(t *testing.T) {
	for name, want := range map[string]string{
		"healthy":            "healthy: response delay 20 ms; handler works on when the client has left",
		"slow_body":          "slow_body: status 200, chunks 16, chunk interval 75 ms; handler works on when the client has left",
		"transient_error":    "transient_error: status 503, delay 50 ms; then status 200, delay 50 ms; handler works on when the client has left",
		"cancel_in_http":     "cancel_in_http: response delay 300 ms; the caller cancels 100 ms after server_request_started; handler works on when the client has left",
		"cancel_in_backoff":  "cancel_in_backoff: status 503, response delay 0 ms; the caller cancels 50 ms after backoff_started; handler works on when the client has left",
		"semaphore_wait":     "semaphore_wait: response delay 20 ms; another call holds the only slot for 1100 ms; handler works on when the client has left",
		"pool_wait":          "pool_wait: response delay 20 ms; another call holds the only connection for 1100 ms; handler works on when the client has left",
		"backoff_holds_slot": "backoff_holds_slot: status 503, response delay 20 ms; another call goes first, and this one starts at its backoff_started; handler works on when the client has left",
		"hang":               "hang: delay 60000 ms; handler stops when the client has left",
	} {
		s, err := scenario.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := UpstreamText(s); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
	}
}
