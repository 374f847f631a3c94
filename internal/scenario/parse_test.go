package scenario

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// small is the shortest file that loads, one key a line.
const small = `name: tiny
question: Is it short?
lesson: It is.
contrast: [a, b]
operation: {budget_ms: 1000}
scenario: {type: healthy}
variants: [a, b]
expect:
  a: {outcome: success}
  b: {outcome: success}
`

// edit replaces one piece of small, which must be there.
func edit(t *testing.T, old, new string) string {
	t.Helper()
	if strings.Count(small, old) != 1 {
		t.Fatalf("%q is not once in the small file", old)
	}
	return strings.Replace(small, old, new, 1)
}

// same compares scenarios without their places.
var same = cmp.Options{cmpopts.IgnoreFields(Scenario{}, "File", "Pos"), cmp.Exporter(ofFaults)}

// ofFaults: faults may share what they have in common as an embedded type.
func ofFaults(t reflect.Type) bool { return strings.HasSuffix(t.PkgPath(), "/fault") }

func TestDefaults(t *testing.T) {
	s, err := Parse("tiny.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	healthy, _ := fault.New("healthy")
	want := &Scenario{Name: "tiny", Question: "Is it short?", Lesson: "It is.", Contrast: []string{"a", "b"},
		Operation: Operation{BudgetMs: 1000, MaxAttempts: 3, BackoffMs: []float64{100, 200}, RetryableStatuses: []int{503},
			RetryableFailures: []eventlog.Outcome{eventlog.AttemptTimeout}},
		Attempt: Limits{TotalMs: new(400.), ConnectMs: new(300.), SockConnectMs: new(300.)},
		Method:  "GET", Type: "healthy", Fault: healthy, Variants: []string{"a", "b"},
		Expect: map[string]Expect{"a": {Outcome: new(eventlog.Success)}, "b": {Outcome: new(eventlog.Success)}}}
	if diff := cmp.Diff(want, s, same); diff != "" {
		t.Error(diff)
	}
}

func TestValues(t *testing.T) {
	s := mustParse(t, edit(t, "operation: {budget_ms: 1000}", `operation: {budget_ms: 12.5, max_attempts: 9, backoff_ms: [0.25], jitter: {min_ms: 0.5, max_ms: 1.5}, retryable_statuses: [], retryable_failures: []}
attempt: {total_ms: null, connect_ms: ~, sock_read_ms: 12.5}
pool: {limit_per_host: 2}
slots: 7
rung: body
method: POST
body_bytes: 8388608
idempotency_key: true
caller_deadline_ms: -0.5
callers: {count: 50, share: [slots, transport], start_gap_ms: 0.25}`))
	want := Operation{BudgetMs: 12.5, MaxAttempts: 9, BackoffMs: []float64{0.25}, Jitter: &Jitter{0.5, 1.5}}
	if diff := cmp.Diff(want, s.Operation); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Limits{SockConnectMs: new(300.), SockReadMs: new(12.5)}, s.Attempt); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&Pool{LimitPerHost: 2}, s.Pool); diff != "" || s.Slots != 7 || s.Rung != "body" {
		t.Error(diff, s.Slots, s.Rung)
	}
	if diff := cmp.Diff(&Callers{Count: 50, Share: []string{"slots", "transport"}, StartGapMs: 0.25}, s.Callers); diff != "" || s.CallersOf() != 50 || !s.Shares(ShareSlots) {
		t.Error(diff)
	}
	if s.Method != "POST" || s.BodyBytes != 8<<20 || !s.IdempotencyKey || *s.CallerDeadlineMs != -0.5 {
		t.Error(s.Method, s.BodyBytes, s.IdempotencyKey, s.CallerDeadlineMs)
	}
	roundTrip(t, s)
}

func TestLeakForms(t *testing.T) {
	s := mustParse(t, edit(t, "a: {outcome: success}", "a: {commits: {max: 1}, leaks: {dials: 20, slots: {min: 1}, probe: deadline_exceeded, probe_ms: {max_ms: 200}}}"))
	want := Expect{Commits: &Count{Max: new(1)}, Leaks: &Leaks{Dials: &Count{N: 20}, Slots: &Count{Min: new(1)}, Probe: new(eventlog.DeadlineExceeded), ProbeMs: &Duration{MaxMs: new(200.)}}}
	if diff := cmp.Diff(want, s.Expect["a"]); diff != "" {
		t.Error(diff)
	}
	roundTrip(t, s)
}

func TestExpectationForms(t *testing.T) {
	s := mustParse(t, edit(t, "a: {outcome: success}", "a: {duration_ms: 2.5, waste_ms: null, cancel_to_return_ms: {max_ms: 5}, attempts: 2, server_requests: {min: 1, max: 2}, headers_received: true}"))
	want := Expect{DurationMs: &Duration{Ms: 2.5}, CancelToReturnMs: &Duration{MaxMs: new(5.)}, Attempts: &Count{N: 2},
		ServerRequests: &Count{Min: new(1), Max: new(2)}, HeadersReceived: new(true)}
	if diff := cmp.Diff(want, s.Expect["a"]); diff != "" {
		t.Error(diff)
	}
}

func mustParse(t *testing.T, text string) *Scenario {
	t.Helper()
	s, err := Parse("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Later checks point into the file: every key has its place.
func TestPositions(t *testing.T) {
	s := mustParse(t, `name: tiny
question: Q
lesson: L
contrast: [a, b]
operation:
  budget_ms: 1000
  backoff_ms: [1, 22]
attempt:
  total_ms: 5
scenario:
  type: transient_error
  steps:
    - {status: 503, delay_ms: 50}
    - {status: 200, delay_ms: 60}
variants: [b, a]
expect:
  a: {outcome: success, duration_ms: {max_ms: 7}}
  b: {outcome: success}
`)
	for path, want := range map[string]string{
		"name": "1:7", "contrast[1]": "4:15", "operation": "6:3", "operation.budget_ms": "6:14", "operation.backoff_ms[1]": "7:19",
		"attempt.total_ms": "9:13", "scenario.type": "11:9", "scenario.steps[1].delay_ms": "14:31", "variants[1]": "15:15",
		"expect.a": "17:6", "expect.a.duration_ms": "17:38", "expect.a.duration_ms.max_ms": "17:47", "expect.b.outcome": "18:16",
		"attempt.connect_ms": "9:3", "slots": "1:1", "scenario.steps[7].status": "13:5",
	} {
		if got := s.At(path); got != "x.yaml:"+want {
			t.Errorf("%s is at %s, want x.yaml:%s", path, got, want)
		}
	}
}

// JSON goes through the same walker, escapes of other programs included.
func TestJSON(t *testing.T) {
	s := mustParse(t, "{\"name\": \"tiny\",\n\t\"question\": \"a\\u003c\\/b \\ud83d\\ude00?\", \"lesson\": \"L\", \"contrast\": [\"a\", \"b\"],\n"+
		`"operation": {"budget_ms": 1e3, "jitter": false}, "pool": null, "scenario": {"type": "healthy", "response_delay_ms": 20.5}, "variants": ["a", "b"],
"expect": {"a": {"outcome": "success", "attempts": {"min": 1}}, "b": {"late": false}}}`)
	if s.Question != "a</b 😀?" || s.Operation.BudgetMs != 1000 || s.Expect["a"].Attempts.least() != 1 {
		t.Errorf("%+v", s)
	}
	_, err := Parse("x.json", []byte("{\"name\": \"tiny\",\n \"nam\": 1}"))
	if err == nil || !strings.HasPrefix(err.Error(), "x.json:1:1: question: found nothing") || !strings.Contains(err.Error(), "x.json:2:2: nam: found an unknown key") {
		t.Error(err)
	}
}

func TestAliases(t *testing.T) {
	s := mustParse(t, strings.Replace(small, "  a: {outcome: success}\n  b: {outcome: success}", "  a: &ok {outcome: success, duration_ms: 20}\n  b: *ok", 1))
	if diff := cmp.Diff(s.Expect["a"], s.Expect["b"]); diff != "" {
		t.Error(diff)
	}
}

// A held slot makes one slot the default: the study's settings name none.
func TestHeldSlotMeansOneSlot(t *testing.T) {
	s := mustParse(t, edit(t, "type: healthy", "type: semaphore_wait"))
	if s.Slots != 1 {
		t.Errorf("%d slots", s.Slots)
	}
}

// Nine anchors of nine aliases each are refused, not expanded.
func TestBillionLaughs(t *testing.T) {
	var b strings.Builder
	b.WriteString("scenario: &s0 {type: transient_error, steps: [{status: 200}]}\n")
	b.WriteString("variants: &v [" + strings.Repeat("a, ", 5000) + "a]\n")
	b.WriteString("contrast: *v\nexpect: {" + strings.Repeat("a: *s0, ", 3) + "b: *v}\n")
	b.WriteString("operation: {backoff_ms: &l [1, 1, 1], retryable_statuses: *v, retryable_failures: *v}\n")
	_, err := Parse("laugh.yaml", []byte(b.String()))
	if err == nil || !strings.Contains(err.Error(), "laugh.yaml:1:1: found more than 20000 values, expected a file of ordinary size; write repeated parts out instead of nesting aliases") {
		t.Errorf("%.300v", err)
	}
	nested := "a: &a [x, x]\n"
	for c := 'b'; c < 'k'; c++ {
		nested += fmt.Sprintf("%c: &%c [%s*%c]\n", c, c, strings.Repeat(fmt.Sprintf("*%c, ", c-1), 8), c-1)
	}
	if _, err := Parse("laugh.yaml", []byte(nested+"variants: *j\n")); err == nil {
		t.Error("nested aliases were accepted")
	}
	if _, err := Parse("loop.yaml", []byte("variants: &v [a, *v]\nscenario: &s {type: transient_error, steps: *v}\n")); err == nil {
		t.Error("an alias inside its own anchor was accepted")
	}
}

// Every error of a file is reported, in the order of the places, and each is
// an *Error of its own.
func TestAllErrorsInOrder(t *testing.T) {
	_, err := Parse("x.yaml", []byte("operation: {budget_ms: -1, backof_ms: 3}\nname: A\nslots: x\n"))
	var all Errors
	if !errors.As(err, &all) {
		t.Fatalf("%T", err)
	}
	var keys []string
	for _, e := range all {
		keys = append(keys, e.Key)
	}
	want := []string{"question", "lesson", "contrast", "scenario.type", "variants", "expect", "operation.budget_ms", "operation.backof_ms", "name", "slots"}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Error(diff)
	}
	var one *Error
	if !errors.As(err, &one) || one.Line != 1 {
		t.Error("errors.As finds no single problem")
	}
}
