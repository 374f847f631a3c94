package extclient

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/variants"
	"github.com/deadlinelab/deadlinelab/schema"
)

// transcript keeps what both sides write.
type transcript struct {
	mu    sync.Mutex
	lines [][]byte
}

func (t *transcript) add(line []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, bytes.TrimSpace(bytes.Clone(line)))
}

// overheard hands on what the bench writes, one line at a time.
type overheard struct {
	io.WriteCloser
	transcript *transcript
}

func (o *overheard) Write(line []byte) (int, error) {
	o.transcript.add(line)
	return o.WriteCloser.Write(line)
}

// conversation is everything that the bench says and that an adapter made with
// package adapter answers.
func conversation(t *testing.T) [][]byte {
	var said transcript
	p, err := startAdapterProcess(as("adapter", "all"), append(os.Environ(), promptly))
	if err != nil {
		t.Fatal(err)
	}
	peer := p.peer()
	peer.in = &overheard{peer.in, &said}
	s := newSession("good", clock.New(), peer, nil, said.add)
	if err := s.exchangeHello(t.Context(), "test"); err != nil {
		t.Fatal(err)
	}
	call := newCall("a")
	call.URL, call.PoolLimit, call.Slots, call.CallerDeadline = upstream(t)+"/op/a", 1, 1, new(time.Minute)
	call.Policy = variants.Policy{Budget: time.Second, MaxAttempts: 2, Backoff: []time.Duration{time.Millisecond}, RetryableStatuses: []int{503},
		RetryableFailures: []eventlog.Outcome{eventlog.AttemptTimeout}, Limits: variants.Limits{Total: time.Second}}
	if e := s.Call(t.Context(), call.Call); e.Outcome != eventlog.Success {
		t.Errorf("%+v", e)
	}
	s.Forget(call.Client)
	until := make(chan time.Time, 1)
	hold := newCall("h")
	hold.HoldSlots, hold.Slots, hold.Until, hold.Holding = true, 1, until, func() { until <- time.Now().Add(time.Millisecond) }
	s.Call(t.Context(), hold.Call)
	s.send(adapter.Ask{Type: adapter.TypeCancel, Op: "a"})
	s.stop()
	return said.lines
}

func messages(t *testing.T, lines [][]byte) []map[string]any {
	var list []map[string]any
	for _, line := range lines {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		list = append(list, v.(map[string]any))
	}
	return list
}

// published is a schema as users get it.
func published(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := schema.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:"+name, document); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("urn:" + name)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// Lines that are really exchanged are as the schema says. It tolerates a key of
// a later version, and refuses any value of another type.
func TestSchemaOfTheConversation(t *testing.T) {
	s, seen := published(t, "adapter"), map[string]bool{}
	for _, m := range messages(t, conversation(t)) {
		seen[fmt.Sprint(m["type"])] = true
		if err := s.Validate(m); err != nil {
			t.Errorf("%v: %v", m, err)
		}
		m["of_a_later_version"] = true
		if err := s.Validate(m); err != nil {
			t.Errorf("%v: %v", m, err)
		}
		delete(m, "of_a_later_version")
		for key := range m {
			spoiled := maps.Clone(m)
			spoiled[key] = []any{map[string]any{}}
			if s.Validate(spoiled) == nil {
				t.Errorf("the schema accepts %v as %s", spoiled, key)
			}
		}
	}
	for _, kind := range []string{"hello", "operation", "hold_slot", "release", "cancel", "close", "shutdown", "event"} {
		if !seen[kind] {
			t.Errorf("there was no %s in the conversation", kind)
		}
	}
}

// What the schema refuses, the bench refuses, and the other way round.
func TestSchemaAgreesWithTheHost(t *testing.T) {
	s, hello := published(t, "adapter"), adapter.Hello{Clock: adapter.ClockMonotonic, Capabilities: adapter.Capabilities}
	for _, event := range []string{
		`"event":"operation_started"`, `"event":"attempt_started"`, `"event":"attempt_started","attempt":0`, `"event":"attempt_started","attempt":1`,
		`"event":"attempt_started","attempt":10001`, `"event":"headers_received","attempt":1`, `"event":"headers_received","attempt":1,"status":99`,
		`"event":"body_finished","attempt":1,"bytes":-1`, `"event":"backoff_started"`, `"event":"backoff_started","planned_ms":-1`,
		`"event":"backoff_started","planned_ms":86400001`, `"event":"attempt_timed_out","attempt":1,"limit":"none"`, `"event":"dance"`,
		`"event":"operation_finished"`, `"event":"operation_finished","outcome":"cap_reached"`, `"event":"operation_finished","outcome":"success","body":"x"`,
		`"event":"operation_finished","outcome":"retries_exhausted","last":"success"`, `"event":"operation_finished","outcome":"success","status":1000`,
	} {
		line := []byte(`{"type":"event","op":"a","t_ns":5,` + event + `}`)
		bySchema := s.Validate(messages(t, [][]byte{line})[0])
		_, byHost := readEvent(line, &hello)
		if (bySchema == nil) != (byHost == nil) {
			t.Errorf("%s\nthe schema: %v\nthe bench: %v", line, bySchema, byHost)
		}
	}
}

// The page's dialogue is one that the schema allows, and its table of events is
// the bench's own.
func TestProtocolPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/adapter-protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	s, examples := published(t, "adapter"), regexp.MustCompile(`(?m)^[<>] (\{.*\})$`).FindAllSubmatch(page, -1)
	if len(examples) < 15 {
		t.Errorf("only %d lines of dialogue", len(examples))
	}
	for _, example := range examples {
		if err := s.Validate(messages(t, example[1:2])[0]); err != nil {
			t.Errorf("%s: %v", example[1], err)
		}
	}
	for _, k := range EventKinds {
		carries := strings.Join(append(append([]string{}, k.Needs...), brackets(k.May)...), ", ")
		if row := fmt.Sprintf("| `%s` | %s | %s |", k.Name, carries, k.Meaning); !bytes.Contains(page, []byte(row+"\n")) {
			t.Errorf("the page has no row %s", row)
		}
	}
}

func brackets(names []string) []string {
	list := []string{}
	for _, n := range names {
		list = append(list, "["+n+"]")
	}
	return list
}

// The page's client in 40 lines is one.
func TestClientOfThePage(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		missing(t, err)
	}
	page, err := os.ReadFile("../../docs/adapter-protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	program := regexp.MustCompile("(?s)```python\n(.*?)```").FindSubmatch(page)
	if program == nil || bytes.Count(program[1], []byte("\n")) > 45 {
		t.Fatal("there is no program of 40 lines on the page")
	}
	file := filepath.Join(t.TempDir(), "mine.py")
	if err := os.WriteFile(file, program[1], 0o600); err != nil {
		t.Fatal(err)
	}
	v, _ := startTest(t, "mine", []string{python, file})
	call := newCall("a")
	call.URL = upstream(t) + "/op/a"
	if e := v.External.Caller.Call(t.Context(), call.Call); e.Outcome != eventlog.Success || e.Status != 200 || e.Bytes != int64(len("marker-a")) {
		t.Errorf("%+v", e)
	}
	gone := newCall("b")
	gone.URL = "http://127.0.0.1:1/"
	if e := v.External.Caller.Call(t.Context(), gone.Call); e.Outcome != eventlog.ConnectError || e.ErrorType != "URLError" || e.Broken != "" {
		t.Errorf("%+v", e)
	}
}
