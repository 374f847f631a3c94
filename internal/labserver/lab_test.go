package labserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/memnet"
)

func TestMain(m *testing.M) {
	if !serveAsChild() {
		goleak.VerifyTestMain(m)
	}
}

const testToken = "t0ken"

// lab is a labserver with its control client and a caller, over memory and in
// virtual time.
type lab struct {
	*testing.T
	net    *memnet.Net
	server *Server
	base   string
	http   *http.Client // of the caller and the control client
	*control.Client
}

// inLab runs test inside a bubble and takes everything down afterwards.
func inLab(t *testing.T, cfg Config, test func(l *lab)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := &lab{T: t, net: memnet.New()}
		cfg.Clock, cfg.Listen, cfg.Token, cfg.Version = clock.New(), l.net.Listen, testToken, "test"
		l.server = New(cfg)
		base, err := l.server.Start("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		transport := &http.Transport{DialContext: l.net.DialContext}
		l.base, l.http = base, &http.Client{Transport: transport}
		l.Client = control.NewClient(base, testToken, l.http)
		defer time.Sleep(time.Second)
		defer l.server.Close()
		defer transport.CloseIdleConnections()
		test(l)
	})
}

// scenarioWith is JSON, and so YAML as well, for a scenario with that upstream.
func scenarioWith(fault string) string {
	return `{"name": "lab", "question": "q", "lesson": "l", "contrast": ["single_attempt", "operation_deadline"], "operation": {"budget_ms": 1000}, "pool": {"limit": 1}, "slots": 1,
		"variants": ["single_attempt", "operation_deadline"],
		"expect": {"single_attempt": {"outcome": "success"}, "operation_deadline": {"outcome": "success"}}, "scenario": ` + fault + `}`
}

// upstream is that scenario as a JSON string, as a YAML text is sent.
func upstream(fault string) json.RawMessage {
	text, _ := json.Marshal(scenarioWith(fault))
	return text
}

func must[T any](v T, err error) func(*lab) T {
	return func(l *lab) T {
		l.Helper()
		if err != nil {
			l.Fatal(err)
		}
		return v
	}
}

// experiment creates one named x with that upstream and those operations.
func (l *lab) experiment(fault string, ops ...control.OperationRequest) []control.Operation {
	l.Helper()
	must(l.Create(l.Context(), control.ExperimentRequest{Name: "x", Scenario: upstream(fault)}))(l)
	return must(l.Register(l.Context(), "x", ops))(l)
}

func op(id string) control.OperationRequest { return control.OperationRequest{Op: id} }

// get is one request of a caller; its answer as "status body" and how long it took.
func (l *lab) get(url string) (string, time.Duration) {
	return l.do(context.Background(), http.MethodGet, url, nil)
}

func (l *lab) do(ctx context.Context, method, url string, body io.Reader) (string, time.Duration) {
	start := time.Now()
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		l.Fatal(err)
	}
	res, err := l.http.Do(req)
	if err != nil {
		return describe(err), time.Since(start)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	answer := fmt.Sprintf("%d %s", res.StatusCode, strings.TrimSpace(string(text)))
	if err != nil {
		answer += " " + describe(err)
	}
	return answer, time.Since(start)
}

func describe(err error) string {
	for _, known := range []error{context.Canceled, context.DeadlineExceeded, io.ErrUnexpectedEOF, io.EOF} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return err.Error()
}

// log waits until nothing runs any more and returns the experiment's events.
func (l *lab) log() []eventlog.Event {
	l.Helper()
	synctest.Wait()
	return l.page()
}

// page is the experiment's events so far.
func (l *lab) page() []eventlog.Event {
	l.Helper()
	page := must(l.Events(l.Context(), "x", 0, maxEvents))(l)
	events := make([]eventlog.Event, len(page.Events))
	for i, line := range page.Events {
		events[i] = must(eventlog.Decode(line))(l)
		l.checkFields(line, events[i].Kind)
	}
	return events
}

// checkFields holds an event to the table of its kind.
func (l *lab) checkFields(line json.RawMessage, kind eventlog.Kind) {
	l.Helper()
	may := []string{"seq", "t_ns", "experiment", "op", "event"}
	for _, d := range eventlog.Descriptions {
		if d.Kind == kind {
			may = slices.Concat(may, d.Always, d.Sometimes)
		}
	}
	for name := range must(fieldNames(line))(l) {
		if !slices.Contains(may, name) {
			l.Errorf("%s carries %s, which its description does not name", kind, name)
		}
	}
}

func fieldNames(line json.RawMessage) (map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	err := json.Unmarshal(line, &fields)
	return fields, err
}

// story is the events of one exchange, or of the connection if op is empty: one
// line each, with the milliseconds since the first.
func story(events []eventlog.Event, op string, exchange int) []string {
	var lines []string
	var zero int64
	for _, e := range events {
		if e.Op != op || e.Exchange != exchange || e.Kind == eventlog.LogOpened {
			continue
		}
		if zero == 0 {
			zero = e.TNs
		}
		lines = append(lines, line(e, zero))
	}
	return lines
}

func line(e eventlog.Event, zero int64) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%g %s", float64(e.TNs-zero)/1e6, e.Kind)
	if e.DueNs != 0 {
		fmt.Fprintf(&b, " due=%g", float64(e.DueNs-zero)/1e6)
	}
	if e.Kind == eventlog.FaultFired || e.Kind == eventlog.GateReleased {
		fmt.Fprintf(&b, " late=%g", e.LateMs)
	}
	for _, field := range []struct {
		name  string
		value any
		set   bool
	}{
		{"status", e.Status, e.Status != 0}, {"bytes", e.Bytes, e.Bytes != 0}, {"total", e.Total, e.Total != 0},
		{"by", e.By, e.By != ""}, {"how", e.How, e.How != ""}, {"error", e.Error, e.Error != ""},
	} {
		if field.set {
			fmt.Fprintf(&b, " %s=%v", field.name, field.value)
		}
	}
	return b.String()
}
