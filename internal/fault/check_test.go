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
	for i := range of.NumField() {
		field := of.Field(i)
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
