package runner_test

import (
	"fmt"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// Methods, bodies, deadlines of the caller, redirects and sequences: the
// arithmetic of every variant is what the wire shows.
func TestVariationsAsComputed(t *testing.T) {
	for name, scripted := range map[string]string{
		"expect accepted":       "expect_continue}\nmethod: POST\nbody_bytes: 5000\n#",
		"expect ignored":        "expect_continue, mode: ignore}\nmethod: POST\nbody_bytes: 5000\n#",
		"expect refused":        "expect_continue, mode: refuse}\nmethod: POST\nbody_bytes: 5000\n#",
		"expect delayed":        "expect_continue, mode: delay, delay_ms: 150}\nmethod: POST\nbody_bytes: 5000\n#",
		"expect delayed longer": "expect_continue, mode: delay, delay_ms: 800}\nmethod: POST\nbody_bytes: 5000\n#",
		"expect not wanted":     "persistent_error}\nmethod: POST\nbody_bytes: 5000\n#",
		"body read slowly":      "unread_body, bytes: 1000, interval_ms: 101, body_bytes: 5000}\nmethod: PUT\nbody_bytes: 5000\n#",
		"long body read slowly": "unread_body, bytes: 2000000, interval_ms: 101, body_bytes: 8388608}\nmethod: PUT\nbody_bytes: 8388608\n#",
		"POST with a key":       "persistent_error}\nmethod: POST\nidempotency_key: true\n#",
		"POST that commits":     "commit}\nmethod: POST\n#",
		"caller's deadline":     "hang}\ncaller_deadline_ms: 307\n#",
		"caller's in the queue": "semaphore_wait}\ncaller_deadline_ms: 507\n#",
		"expired on arrival":    "healthy}\ncaller_deadline_ms: 0\n#",
		"expired before":        "semaphore_wait}\ncaller_deadline_ms: -5\n#",
		"Retry-After":           "retry_after, value: '1'}\n#",
		"redirect to nobody":    "redirects, hops: 2, to: refused}\n#",
		"redirect to a hole":    "redirects, hops: 2, to: black_hole}\n#",
		"too many redirects":    "redirects, hops: 12, delay_ms: 7}\n#",
		"a hole that opens":     "black_hole, for_ms: 207}\n#",
		"silent, then served":   "accept_silence, times: 1}\n#",
		"reset, then served":    "reset_on_accept, times: 1}\n#",
		"sequence":              "sequence, steps: [{type: body_stall}, {type: persistent_error}, {type: header_drip, interval_ms: 11}]}\n#",
		"long failed answer":    "sequence, steps: [{type: slow_body, status: 503, chunks: 100}, {type: healthy}]}\n#",
	} {
		s, err := scenario.Parse("walk.yaml", []byte(fmt.Sprintf(faultScenario, scripted)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Run(name, func(t *testing.T) { asComputed(t, s) })
	}
}
