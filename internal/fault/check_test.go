package fault

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault Fault
		want  []string // field: found
	}{
		{"negative delay", &SlowHeaders{ResponseDelayMs: -1}, []string{"response_delay_ms: -1"}},
		{"NaN", &SlowHeaders{ResponseDelayMs: math.NaN()}, []string{"response_delay_ms: NaN"}},
		{"infinite", &SlowHeaders{ResponseDelayMs: math.Inf(1)}, []string{"response_delay_ms: +Inf"}},
		{"the longest delay", &SlowHeaders{ResponseDelayMs: 120_000}, nil},
		{"longer than that", &SlowHeaders{ResponseDelayMs: 120_000.001}, []string{"response_delay_ms: 120000.001"}},
		{"two problems at once", &PersistentError{Status: 99, ResponseDelayMs: -5}, []string{"status: 99", "response_delay_ms: -5"}},
		{"an informational status", &PersistentError{Status: 100}, []string{"status: 100"}},
		{"the status that means unscripted", &PersistentError{Status: 599}, []string{"status: 599"}},
		{"no chunks", &SlowBody{Status: 200, Chunks: 0, ChunkIntervalMs: 75}, []string{"chunks: 0"}},
		{"too many chunks", &SlowBody{Status: 200, Chunks: 65_537}, []string{"chunks: 65537"}},
		{"a body of two minutes", &SlowBody{Status: 200, Chunks: 1601, ChunkIntervalMs: 75}, nil},
		{"a longer body", &SlowBody{Status: 200, Chunks: 1602, ChunkIntervalMs: 75}, []string{"chunks: a body of 120075 ms"}},
		{"a body with 204", &SlowBody{Status: 204, Chunks: 1}, []string{"status: 204"}},
		{"no steps", &TransientError{}, []string{"steps: 0 steps"}},
		{"too many steps", &TransientError{Steps: make([]Step, 1001)}, []string{"steps: 1001 steps"}},
		{"a step without status", &TransientError{Steps: []Step{{Status: 200}, {DelayMs: -1}}}, []string{"steps[1].status: 0", "steps[1].delay_ms: -1"}},
		{"hold", &PoolWait{HoldMs: -1}, []string{"hold_ms: -1"}},
		{"hold of a slot", &SemaphoreWait{HoldMs: math.NaN()}, []string{"hold_ms: NaN"}},
		{"no trigger", &CancelInHTTP{}, []string{`trigger_event: ""`}},
		{"an unknown trigger", &CancelInBackoff{Status: 503, Cancel: Cancel{TriggerEvent: "backof_started"}}, []string{`trigger_event: "backof_started"`}},
		{"a trigger that comes too late", &CancelInHTTP{Cancel: Cancel{TriggerEvent: "operation_finished"}}, []string{`trigger_event: "operation_finished"`}},
		{"hang", &Hang{DelayMs: 1e9}, []string{"delay_ms: 1e+09"}},
		{"a small head", &HeaderDrip{PieceBytes: 1, HeadBytes: 63}, []string{"head_bytes: 63"}},
		{"no piece", &HeaderDrip{HeadBytes: 80}, []string{"piece_bytes: 0"}},
		{"a drip of two minutes", &HeaderDrip{PieceBytes: 1, HeadBytes: 121, IntervalMs: 1000}, nil},
		{"a longer drip", &HeaderDrip{PieceBytes: 1, HeadBytes: 122, IntervalMs: 1000}, []string{"head_bytes: 122 pieces, one each 1000 ms"}},
		{"a longer trickle", &BodyTrickle{Bytes: 1, Total: 121, IntervalMs: 1000}, []string{"total: 122 pieces, one each 1000 ms"}},
		{"too many pieces", &BodyTrickle{Bytes: 1, Total: 65_536}, []string{"total: 65537 pieces, one each 0 ms"}},
		{"NaN between pieces", &BodyTrickle{Bytes: 1, Total: 1, IntervalMs: math.NaN()}, []string{"interval_ms: NaN"}},
		{"a large stall", &BodyStall{AfterBytes: 64 << 20}, []string{"after_bytes: 67108864"}},
		{"endless without a pace", &EndlessBody{Bytes: 1, ForMs: 10}, []string{"interval_ms: 0"}},
		{"endless and too large", &EndlessBody{Bytes: 1 << 20, IntervalMs: 1, ForMs: 1000}, []string{"for_ms: 1000 pieces of 1048576 bytes"}},
		{"nothing cut", &TruncatedBody{Cut{ContentLength: 5, Bytes: 5}}, []string{"bytes: 5"}},
		{"a byte behind the end", &CloseAt{At{Byte: wholeAnswer() + 1}}, []string{"byte: 233"}},
		{"a header of two lines", &RetryAfter{Status: 503, Times: 1, Value: "1\r\nX: y"}, []string{`value: "1\r\nX: y"`}},
		{"a date without end", &RetryAfter{Status: 503, Times: 1, DateOffsetMs: math.Inf(1)}, []string{"date_offset_ms: +Inf"}},
		{"no redirect", &Redirects{Status: 304, Hops: 1}, []string{"status: 304"}},
		{"too many hops", &Redirects{Status: 302, Hops: 101}, []string{"hops: 101"}},
		{"a destination that is none", &Redirects{Status: 302, Hops: 1, To: "nowhere"}, []string{`to: "nowhere"`}},
		{"a final answer as information", &InformationalFlood{Status: 101, Count: 1}, []string{"status: 101"}},
		{"an unknown mode", &ExpectContinue{Mode: "reject", Status: 417}, []string{`mode: "reject"`}},
		{"an early answer without a body", &EarlyAnswer{Status: 204}, []string{"status: 204"}},
		{"a slow read of ten minutes", &UnreadBody{Bytes: 1, BodyBytes: 600, IntervalMs: 1000}, []string{"body_bytes: 601 pieces, one each 1000 ms"}},
		{"a negative exchange", &KeepAlive{CloseAfter: -1}, []string{"close_after: -1"}},
		{"a negative commit", &Commit{CommitAfterMs: -1}, []string{"commit_after_ms: -1"}},
		{"a long black hole", &BlackHoleFault{ForMs: 120_001}, []string{"for_ms: 120001"}},
		{"negative connections", &AcceptSilenceFault{Times: -1}, []string{"times: -1"}},
		{"too many connections", &ResetOnAcceptFault{Times: 1001}, []string{"times: 1001"}},
		{"no step", &Sequence{}, []string{"steps: 0 steps"}},
		{"a step of nothing", &Sequence{Steps: []Nested{{}}}, []string{"steps[0].type: nothing"}},
		{"a step that is none", &Sequence{Steps: []Nested{{"refused", fresh("refused")}, {"pool_wait", fresh("pool_wait")}, {"sequence", fresh("sequence")}}},
			[]string{`steps[0].type: "refused"`, `steps[1].type: "pool_wait"`, `steps[2].type: "sequence"`}},
		{"a step with a problem", &Sequence{Steps: []Nested{{"healthy", &Healthy{ResponseDelayMs: -1}}}}, []string{"steps[0].response_delay_ms: -1"}},
		{"lead status", &BackoffHoldsSlot{Status: 0, ResponseDelayMs: 20}, []string{"status: 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range c.fault.Check() {
				got = append(got, p.Field+": "+p.Found)
				if p.Want == "" {
					t.Errorf("%s: what was expected is not said", p.Field)
				}
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// The walker of scenario files finds keys by tag: every exported field of a
// fault needs one, and every number of milliseconds is a float64.
func TestFieldsCarryTags(t *testing.T) {
	for _, name := range Names() {
		f, _ := New(name)
		checkTags(t, name, reflect.TypeOf(f).Elem())
	}
}

func checkTags(t *testing.T, name string, of reflect.Type) {
	for field := range of.Fields() {
		key, option, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if field.Anonymous && option == "inline" {
			checkTags(t, name, field.Type)
			continue
		}
		if key == "" {
			t.Errorf("%s: field %s has no yaml key", name, field.Name)
		}
		if strings.HasSuffix(key, "_ms") && field.Type.Kind() != reflect.Float64 {
			t.Errorf("%s: %s is a %s, expected float64", name, key, field.Type)
		}
	}
}
