package runner_test

import (
	"fmt"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// What every variant shows under every fault is what the arithmetic computes:
// outcome, duration, attempts and requests.
func TestEveryFaultAsComputed(t *testing.T) {
	for _, name := range fault.Names() {
		s, err := scenario.Parse("walk.yaml", []byte(fmt.Sprintf(faultScenario, name+extra[name])))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, v := range variants.All() {
				if c := runner.Compute(s, v); len(c.Ties) == 0 {
					asComputed(t, s, v)
				}
			}
		})
	}
}

// extra is what a fault needs beside its defaults: the handler of unread_body
// cannot see its client leave, and must end with its run.
var extra = map[string]string{"unread_body": ", hold_ms: 2505}\nmethod: POST\nbody_bytes: 8388608\n#"}

const faultScenario = `
name: walk
question: What does the arithmetic say?
lesson: The same as the wire.
contrast: [attempt_timeout, operation_deadline]
operation: {budget_ms: 1030, max_attempts: 3, backoff_ms: [110], retryable_statuses: [503], retryable_failures: [attempt_timeout, transport_error]}
attempt: {total_ms: 470, connect_ms: 333, sock_connect_ms: 313, sock_read_ms: 205}
slots: 1
pool: {limit: 1}
scenario: {type: %s}
variants: [attempt_timeout, operation_deadline]
expect: {attempt_timeout: {outcome: success}, operation_deadline: {outcome: success}}
`
