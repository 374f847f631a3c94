package scenario

import (
	"net/http"
	"reflect"

	"gopkg.in/yaml.v3"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// document is the file as it is written: the top-level keys in their order.
type document struct {
	Name      string    `yaml:"name"`
	Rung      string    `yaml:"rung,omitempty"`
	Question  string    `yaml:"question"`
	Lesson    string    `yaml:"lesson"`
	Contrast  []string  `yaml:"contrast"`
	Operation Operation `yaml:"operation"`
	Attempt   Limits    `yaml:"attempt"`
	Pool      *Pool     `yaml:"pool"`
	Slots     int       `yaml:"slots"`

	Method           string   `yaml:"method"`
	BodyBytes        int64    `yaml:"body_bytes"`
	IdempotencyKey   bool     `yaml:"idempotency_key"`
	CallerDeadlineMs *float64 `yaml:"caller_deadline_ms"`
	Callers          *Callers `yaml:"callers"`
	CapMs            *float64 `yaml:"cap_ms,omitempty"`

	Scenario upstream          `yaml:"scenario"`
	Variants []string          `yaml:"variants"`
	Expect   map[string]Expect `yaml:"expect"`
}

// upstream is the key "scenario": a type, and the keys of that fault.
type upstream struct {
	Type  string
	Fault fault.Fault
}

// defaults are the study's own settings.
func defaults() document {
	return document{
		Operation: Operation{
			MaxAttempts:       3,
			BackoffMs:         []float64{100, 200},
			RetryableStatuses: []int{503},
			RetryableFailures: []eventlog.Outcome{eventlog.AttemptTimeout},
		},
		Attempt: Limits{TotalMs: new(400.), ConnectMs: new(300.), SockConnectMs: new(300.)},
		Method:  http.MethodGet,
	}
}

// Parse reads one scenario, YAML or JSON. The error is an Errors with every
// problem of the file; file is the name that they carry.
func Parse(file string, data []byte) (*Scenario, error) {
	root, err := readTree(file, data, maxBytes)
	if err != nil {
		return nil, err
	}
	return decode(file, root)
}

// decode reads a scenario from its root node.
func decode(file string, root *yaml.Node) (*Scenario, error) {
	w := newWalker(file)
	s := w.scenario(root)
	if err := w.errs.asError(); err != nil {
		return nil, err
	}
	return s, nil
}

func (w *walker) scenario(root *yaml.Node) *Scenario {
	doc := defaults()
	w.value("", root, reflect.ValueOf(&doc).Elem())
	s := doc.scenario()
	s.File, s.Pos = w.file, w.pos
	if w.clean("") && w.values <= w.limit {
		w.check(s)
	}
	return s
}

func (d *document) scenario() *Scenario {
	return &Scenario{Name: d.Name, Question: d.Question, Lesson: d.Lesson, Rung: d.Rung, Contrast: d.Contrast,
		Operation: d.Operation, Attempt: d.Attempt, Pool: d.Pool, Slots: d.Slots,
		Method: d.Method, BodyBytes: d.BodyBytes, IdempotencyKey: d.IdempotencyKey, CallerDeadlineMs: d.CallerDeadlineMs, Callers: d.Callers, CapMs: d.CapMs,
		Type: d.Scenario.Type, Fault: d.Scenario.Fault, Variants: d.Variants, Expect: d.Expect}
}

func (s *Scenario) document() *document {
	return &document{Name: s.Name, Question: s.Question, Lesson: s.Lesson, Rung: s.Rung, Contrast: s.Contrast,
		Operation: s.Operation, Attempt: s.Attempt, Pool: s.Pool, Slots: s.Slots,
		Method: s.Method, BodyBytes: s.BodyBytes, IdempotencyKey: s.IdempotencyKey, CallerDeadlineMs: s.CallerDeadlineMs, Callers: s.Callers, CapMs: s.CapMs,
		Scenario: upstream{s.Type, s.Fault}, Variants: s.Variants, Expect: s.Expect}
}
