package extclient

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/adapter"
)

// Lines may be as long as the limit, and end with CR LF too.
func TestLines(t *testing.T) {
	longest := strings.Repeat("x", maxLine-1)
	l := newLines(strings.NewReader(longest + "\n{}\r\n"))
	for _, want := range []string{longest, "{}\r"} {
		if got, err := l.next(); string(got) != want || err != nil {
			t.Errorf("%d bytes, %v; want %d", len(got), err, len(want))
		}
	}
	if _, err := l.next(); err != io.EOF {
		t.Error(err)
	}
}

func TestExcerpt(t *testing.T) {
	for text, want := range map[string]string{
		"":                        `""`,
		"a\x00\x1b[31m":           `"a\x00\x1b[31m"`,
		strings.Repeat("x", 200):  `"` + strings.Repeat("x", 200) + `"`,
		strings.Repeat("x", 201):  `"` + strings.Repeat("x", 200) + `"… (201 bytes)`,
		strings.Repeat("\x00", 9): `"` + strings.Repeat(`\x00`, 9) + `"`,
	} {
		if got := excerpt([]byte(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got := excerpt([]byte(strings.Repeat("\x00", 500))); got != `"`+strings.Repeat(`\x00`, 50)+`"… (500 bytes)` {
		t.Error(got)
	}
	if got := lastWords(strings.Repeat("x", 500) + "\nend\n"); !strings.HasSuffix(got, `x\nend"`) || len(got) > 440 {
		t.Error(got)
	}
}

// A line is either refused with what was found and expected, or is an event
// whose every field is within its limits, and is read the same when it is
// written again.
func FuzzAdapterLine(f *testing.F) {
	for _, seed := range []string{
		`{"type":"event","op":"a","event":"operation_started","t_ns":1}`,
		`{"type":"event","op":"a","event":"attempt_started","t_ns":2,"attempt":1}`,
		`{"type":"event","op":"a","event":"backoff_started","t_ns":2,"attempt":1,"planned_ms":1e2}`,
		`{"type":"event","op":"a","event":"operation_finished","t_ns":9,"outcome":"retries_exhausted","last":"attempt_timeout","error":"\u0000"}`,
		`{"type":"event","op":"a","event":"operation_finished","t_ns":9,"outcome":"success","status":200,"bytes":3,"body":"abc"}`,
		`{"op":"a","op":"b"}`, `{"type":`, "{\"a\":\"\x00\"}", `[]`, `{} {}`, `{"t_ns":1e99}`, `{"a":{"a":{"a":[[[]]]}}}`,
	} {
		f.Add([]byte(seed))
	}
	hello := adapter.Hello{Clock: adapter.ClockMonotonic, Capabilities: adapter.Capabilities}
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := readEvent(line, &hello)
		var wrong *violation
		if err != nil {
			if !errors.As(err, &wrong) || wrong.found == "" || wrong.expected == "" {
				t.Errorf("%q: %v", line, err)
			}
			return
		}
		if e.TNs < 1 || e.Attempt < 0 || e.Attempt > MaxAttempts || !(e.PlannedMs >= 0) || e.Bytes < 0 || e.Outcome == "cap_reached" {
			t.Errorf("%q was taken as %+v", line, e)
		}
		again, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if e2, err := readEvent(again, &hello); err == nil && e2 != e {
			t.Errorf("%q was read as %+v, and when written again as %+v", line, e, e2)
		}
	})
}

func readEvent(line []byte, h *adapter.Hello) (adapter.Event, error) {
	o, err := parseObject(line)
	if err != nil {
		return adapter.Event{}, err
	}
	return parseEvent(o, h)
}

// A value is shown as it was written, unless a terminal would not like it.
func TestAsWritten(t *testing.T) {
	for value, want := range map[string]string{
		`"realtime"`:                         `"realtime"`,
		`3`:                                  `3`,
		"\"\u009b2J\"":                       `"\"\u009b2J\""`,
		`"` + strings.Repeat("x", 300) + `"`: `"\"` + strings.Repeat("x", 198) + `"… (302 bytes)`,
	} {
		if got := asWritten([]byte(value)); got != want {
			t.Errorf("asWritten(%q) = %s, want %s", value, got, want)
		}
	}
}
