package browser

import (
	"encoding/json"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/test/browser/viewer"
)

// shownTrace is what the viewer of chrome://tracing has made of a trace.
type shownTrace struct {
	Warnings  []string `json:"warnings"`
	Arrows    int      `json:"arrows"`
	Processes []struct {
		Name    string        `json:"name"`
		Threads []shownThread `json:"threads"`
	} `json:"processes"`
}

type shownThread struct {
	Name   string `json:"name"`
	Slices []struct {
		Name   string `json:"name"`
		Us     int    `json:"us"`
		Inside string `json:"inside"`
	} `json:"slices"`
}

// count tells how many slices begin with a text inside a slice of that name.
func (s shownThread) count(name, inside string) (n int) {
	for _, one := range s.Slices {
		if strings.HasPrefix(one.Name, name) && one.Inside == inside {
			n++
		}
	}
	return n
}

// tracedRun is a run of its own: the viewer takes a second for a hundred lanes.
func tracedRun(t *testing.T) reported {
	t.Helper()
	r := reported{Dir: filepath.Join(t.TempDir(), "20260101T000000Z-trace")}
	code, output, err := built.Run(t.TempDir(), "run", "semaphore_wait", "slow_headers", "cancel_in_backoff", "--variant", "C,D", "--repeats", "1", "--operations", "2", "--out", r.Dir)
	must(t, err)
	if code != 0 && code != 12 { // 12: a busy machine
		t.Fatalf("bench run: exit code %d: %s", code, output)
	}
	return r
}

func showTrace(t *testing.T, r reported) (trace shownTrace) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "trace.json")
	code, output, err := built.Run(t.TempDir(), "report", r.Dir, "--format", "trace", "-o", file)
	must(t, err)
	if code != 0 {
		t.Fatalf("bench report: exit code %d: %s", code, output)
	}
	handler, err := viewer.Handler(file)
	must(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	tab, err := browser.Open() // the viewer is not ours: what it warns of itself is not looked at
	must(t, err)
	t.Cleanup(tab.Close)
	must(t, tab.Go(server.URL))
	must(t, tab.Await("window.shown || window.failure"))
	if failure := value[string](t, tab, `window.failure || ""`); failure != "" {
		t.Fatal(failure)
	}
	must(t, json.Unmarshal([]byte(value[string](t, tab, "JSON.stringify(window.shown)")), &trace))
	return trace
}

// traceCell is what a process stands for.
type traceCell struct {
	Scenario string `json:"scenario"`
	Label    string `json:"label"`
	Variant  string `json:"variant"`
}

func (c traceCell) String() string {
	if c.Label == c.Variant {
		return c.Scenario + " " + c.Variant
	}
	return c.Scenario + " " + c.Label + " " + c.Variant
}

// tracedOperation is what a trace shows of a line of operations.jsonl.
type tracedOperation struct {
	traceCell
	Op         string  `json:"op"`
	DurationMs float64 `json:"duration_ms"`
	Backoffs   []any   `json:"backoffs"`
	Admission  *struct {
		From float64 `json:"from_ms"`
		To   float64 `json:"to_ms"`
	} `json:"admission"`
	Requests int      `json:"server_requests"`
	T0Ns     int64    `json:"t0_ns"`
	Calls    []called `json:"attempts"`
}

type called struct {
	Written   *float64 `json:"request_written_ms"`
	Headers   *float64 `json:"headers_received_ms"`
	Exchanges []struct {
		Headers *float64 `json:"headers_written_ms"`
	} `json:"exchanges"`
}

// arrows are one for a request that arrived, one for an answer's head.
func (o tracedOperation) arrows() (n int) {
	for _, c := range o.Calls {
		if len(c.Exchanges) == 0 {
			continue
		}
		if c.Written != nil {
			n++
		}
		if c.Headers != nil && c.Exchanges[len(c.Exchanges)-1].Headers != nil {
			n++
		}
	}
	return n
}

func tracedOperations(t *testing.T, r reported) (list []tracedOperation) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.Dir, "operations.jsonl"))
	must(t, err)
	for line := range strings.Lines(string(data)) {
		var o tracedOperation
		must(t, json.Unmarshal([]byte(line), &o))
		list = append(list, o)
	}
	slices.SortStableFunc(list, func(a, b tracedOperation) int { return int(a.T0Ns - b.T0Ns) })
	return list
}

// The viewer takes the whole trace without a warning and shows, per cell, the
// operations in their order, each with its client above its servers, with every
// attempt, pause and request, and all arrows.
func TestTraceInItsViewer(t *testing.T) {
	r := tracedRun(t)
	trace := showTrace(t, r)
	if len(trace.Warnings) > 0 {
		t.Errorf("the viewer warns: %q", trace.Warnings)
	}
	lanes, arrows := map[string][]tracedOperation{}, 0
	for _, o := range tracedOperations(t, r) {
		lanes[o.String()] = append(lanes[o.String()], o)
		arrows += o.arrows()
	}
	if trace.Arrows != arrows || arrows == 0 {
		t.Errorf("%d arrows, expected %d", trace.Arrows, arrows)
	}
	var cells []string
	for _, p := range trace.Processes {
		cells = append(cells, p.Name)
		threads := p.Threads
		for _, o := range lanes[p.Name] {
			threads = checkLanes(t, o, threads)
		}
		if len(threads) > 0 {
			t.Errorf("%s has %d threads more than its operations have lanes", p.Name, len(threads))
		}
	}
	if want := r.cells(t); !slices.Equal(cells, want) {
		t.Errorf("processes %q, expected %q", cells, want)
	}
}

func (r reported) cells(t *testing.T) (names []string) {
	var summary struct {
		Series []traceCell `json:"series"`
	}
	data, err := os.ReadFile(filepath.Join(r.Dir, "summary.json"))
	must(t, err)
	must(t, json.Unmarshal(data, &summary))
	for _, s := range summary.Series {
		names = append(names, s.String())
	}
	return names
}

// checkLanes takes the lanes of an operation from those that are left of its
// cell, and returns the rest.
func checkLanes(t *testing.T, o tracedOperation, left []shownThread) []shownThread {
	t.Helper()
	id := strings.TrimPrefix(o.Op, o.Scenario+"-")
	if len(left) == 0 || left[0].Name != id+" client" {
		t.Fatalf("%s: no lane %q where it should be", o.Op, id+" client")
	}
	client, requests := left[0], 0
	if whole, want := client.Slices[0], int(math.Round(o.DurationMs*1e3)); whole.Name != o.String() || whole.Us != want {
		t.Errorf("%s: begins with %+v, expected %d µs of %s", o.Op, whole, want, o)
	}
	for left = left[1:]; len(left) > 0 && strings.HasPrefix(left[0].Name, id+" server"); left = left[1:] {
		requests += left[0].count("works on the request", "")
	}
	waits := 0
	if a := o.Admission; a != nil && a.To > a.From {
		waits = 1
	}
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"operations", client.count(o.String(), ""), 1},
		{"waits for a slot", client.count("waits for a slot", o.String()), waits},
		{"attempts", client.count("attempt ", o.String()), len(o.Calls)},
		{"pauses", client.count("pause", o.String()), len(o.Backoffs)},
		{"requests", requests, o.Requests},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d %s, expected %d", o.Op, c.got, c.what, c.want)
		}
	}
	return left
}
