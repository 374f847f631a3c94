package runner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// Methods, bodies, deadlines of the caller, redirects and sequences: the
// arithmetic of every variant is what the wire shows.
func TestVariationsAsComputed(t *testing.T) {
	for name, scripted := range map[string]string{
		"expect accepted":        "expect_continue}\nmethod: POST\nbody_bytes: 5000\n#",
		"expect ignored":         "expect_continue, mode: ignore}\nmethod: POST\nbody_bytes: 5000\n#",
		"expect refused":         "expect_continue, mode: refuse}\nmethod: POST\nbody_bytes: 5000\n#",
		"expect delayed":         "expect_continue, mode: delay, delay_ms: 150}\nmethod: POST\nbody_bytes: 5000\n#",
		"expect delayed longer":  "expect_continue, mode: delay, delay_ms: 800}\nmethod: POST\nbody_bytes: 5000\n#",
		"expect not wanted":      "persistent_error}\nmethod: POST\nbody_bytes: 5000\n#",
		"body read slowly":       "unread_body, bytes: 1000, interval_ms: 101, body_bytes: 5000}\nmethod: PUT\nbody_bytes: 5000\n#",
		"long body read slowly":  "unread_body, bytes: 2000000, interval_ms: 101, body_bytes: 8388608}\nmethod: PUT\nbody_bytes: 8388608\n#",
		"POST with a key":        "persistent_error}\nmethod: POST\nidempotency_key: true\n#",
		"POST that commits":      "commit}\nmethod: POST\n#",
		"caller's deadline":      "hang}\ncaller_deadline_ms: 307\n#",
		"caller's in the queue":  "semaphore_wait}\ncaller_deadline_ms: 507\n#",
		"expired on arrival":     "healthy}\ncaller_deadline_ms: 0\n#",
		"expired before":         "semaphore_wait}\ncaller_deadline_ms: -5\n#",
		"Retry-After":            "retry_after, value: '1'}\n#",
		"redirect to nobody":     "redirects, hops: 2, to: refused}\n#",
		"redirect to a hole":     "redirects, hops: 2, to: black_hole}\n#",
		"too many redirects":     "redirects, hops: 12, delay_ms: 7}\n#",
		"ten, then nobody":       "redirects, hops: 10, delay_ms: 7, to: refused}\n#",
		"ten, then a hole":       "redirects, hops: 10, delay_ms: 7, to: black_hole}\n#",
		"silence before a body":  "body_stall, response_delay_ms: 307}\n#",
		"silence, two":           "sequence, steps: [{type: body_stall, after_bytes: 0, response_delay_ms: 307}, {type: header_drip, interval_ms: 11}]}\n#",
		"nine redirects":         "redirects, hops: 9, delay_ms: 7}\n#",
		"ten redirects":          "redirects, hops: 10, delay_ms: 7}\n#",
		"POST that is sent on":   "redirects, hops: 2, delay_ms: 7, status: 307}\nmethod: POST\nbody_bytes: 5000\n#",
		"POST that becomes GET":  "sequence, steps: [{type: redirects, hops: 1, status: 303}, {type: unread_body, hold_ms: 37}]}\nmethod: POST\nbody_bytes: 5000\n#",
		"a way that ends":        "sequence, steps: [{type: redirects, hops: 5, delay_ms: 7}, {type: redirects, hops: 1}, {type: healthy}]}\n#",
		"a way that begins anew": "sequence, steps: [{type: redirects, hops: 5, delay_ms: 7}, {type: persistent_error}, {type: redirects, hops: 3, delay_ms: 11}]}\n#",
		"nothing as a success":   "persistent_error, status: 204}\n#",
		"nothing then healthy":   "transient_error, steps: [{status: 204, delay_ms: 7}, {status: 200, delay_ms: 7}]}\n#",
		"Retry-After past":       "retry_after, as_date: true, date_offset_ms: -60000}\n#",
		"a date that is past":    "retry_after, value: 'Wed, 21 Oct 1998 07:28:00 GMT'}\n#",
		"a date to come":         "retry_after, value: 'Wed, 21 Oct 2099 07:28:00 GMT'}\n#",
		"Retry-After as a date":  "retry_after, as_date: true, date_offset_ms: 1200}\n#",
		"two dates":              "retry_after, as_date: true, date_offset_ms: 600, times: 2}\n#",
		"replayed":               "sequence, steps: [{type: persistent_error}, {type: keep_alive, close_on_next: true}, {type: healthy, response_delay_ms: 33}]}\n#",
		"not replayed":           "sequence, steps: [{type: persistent_error}, {type: keep_alive, close_on_next: true}, {type: healthy}]}\nmethod: POST\n#",
		"replayed by its key":    "sequence, steps: [{type: persistent_error}, {type: keep_alive, close_on_next: true}, {type: healthy}]}\nmethod: POST\nidempotency_key: true\n#",
		"silent and replayed":    "sequence, steps: [{type: persistent_error}, {type: close_at, byte: 0, response_delay_ms: 33}, {type: reset_at, byte: 0}]}\n#",
		"one byte is no replay":  "sequence, steps: [{type: persistent_error}, {type: close_at, byte: 1}, {type: healthy}]}\n#",
		"idle for too long":      "sequence, steps: [{type: keep_alive, idle_close_ms: 10, response_delay_ms: 7}]}\n#",
		"HEAD behind a body":     "sequence, steps: [{type: slow_body, status: 503, chunks: 5, chunk_interval_ms: 71}, {type: healthy}]}\nmethod: HEAD\n#",
		"a hole that opens":      "black_hole, for_ms: 207}\n#",
		"silent, then served":    "accept_silence, times: 1}\n#",
		"reset, then served":     "reset_on_accept, times: 1}\n#",
		"sequence":               "sequence, steps: [{type: body_stall}, {type: persistent_error}, {type: header_drip, interval_ms: 11}]}\n#",
		"long failed answer":     "sequence, steps: [{type: slow_body, status: 503, chunks: 100}, {type: healthy}]}\n#",
	} {
		s, err := scenario.Parse("walk.yaml", []byte(fmt.Sprintf(faultScenario, scripted)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Run(name, func(t *testing.T) { asComputed(t, s) })
	}
}

// A pause of nothing is no pause: nothing is cancelled in it, and nobody holds a
// slot in it. What cannot be decoded is wrong to whoever looks at no body, too.
func TestWithoutPauseAsComputed(t *testing.T) {
	text := strings.NewReplacer("[110]", "[0]", "transport_error]", "transport_error, invalid_data]").Replace(faultScenario)
	for _, name := range []string{"cancel_in_backoff", "backoff_holds_slot", "bad_gzip", "missing_marker"} {
		s, err := scenario.Parse("walk.yaml", []byte(fmt.Sprintf(text, name)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Run(name, func(t *testing.T) { asComputed(t, s) })
	}
}

// The answer to a HEAD has no body, so that none can be late, cut or wrong; that
// of a connection is as it was.
func TestHeadAsComputed(t *testing.T) {
	for _, name := range fault.Names() {
		s, err := scenario.Parse("walk.yaml", []byte(fmt.Sprintf(faultScenario, name+head[name]+"}\nmethod: HEAD\n#")))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Run(name, func(t *testing.T) { asComputed(t, s) })
	}
}

// head is what the handlers of some faults need to end soon after their client.
var head = map[string]string{"slow_body": ", chunks: 3", "endless_body": ", for_ms: 207"}
