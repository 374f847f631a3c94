package rundir

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRunReadsBackAsWritten(t *testing.T) {
	want := Run{
		Schema: RunSchema, SchemaVersion: RunSchemaVersion, Status: Aborted, Label: "core", Why: "labserver <gone>", Started: "2026-03-04T12:05:06Z",
		Arguments: []string{"bench", "run"}, Seed: 1, Repeats: 3, Operations: 30, PlanDigest: "ab", Environment: ThisEnvironment("v1"),
		Noise: map[string]Noise{"client": {N: 3, Median: 0.5, P95: 1, P99: 2, Max: 2}}, Clock: Clock{Name: "c", Shared: true},
		Tallies: []Tally{{Experiment: "e", Side: "server", LastSeq: 9, Requests: 3}}, Busy: []string{"op"},
	}
	d := create(t, t.TempDir(), "core", "")
	if err := d.WriteRun(want); err != nil {
		t.Fatal(err)
	}
	got, err := d.ReadRun()
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestReadRunSaysWhatIsWrong(t *testing.T) {
	const head = `{"schema": "deadlinelab/run", "schema_version": "1.0.0",` + "\n"
	const complete = head + `"status": "complete", `
	const since11 = `{"schema": "deadlinelab/run", "schema_version": "1.1.0", "status": "complete"`
	const evidence = `, "evidence": [{"file": "plan.yaml"}, {"file": "client.jsonl"}, {"file": "server.jsonl"}]`
	for text, want := range map[string]string{
		``:                                  "run.json:1: unexpected end of JSON input",
		head + `"status": "complete",}`:     "run.json:2: invalid character '}'",
		head + "\n" + `"label": 7}`:         "run.json:3: json: cannot unmarshal number into Go struct field Run.label",
		`{"schema": "deadlinelab/summary"}`: `run.json: found schema "deadlinelab/summary", expected "deadlinelab/run"`,
		`{"schema": "deadlinelab/run"}`:     `run.json: found schema_version "", expected one such as 1.1.0`,
		head + `"status": "fine"}`:          `run.json: found status "fine", expected running, complete or aborted`,
		`{"schema": "deadlinelab/run", "schema_version": "2.0.0"}`: "run.json: schema_version 2.0.0 is newer than 1.1.0",
		since11 + `}`: "run.json: found no evidence of plan.yaml, expected its lines and sha256",
		since11 + `, "evidence": [{"file": "plan.yaml"}, {"file": "client.jsonl"}]}`:                          "found no evidence of server.jsonl",
		since11 + evidence + `, "tallies": null}`:                                                             "run.json: found no tallies, expected one for each log",
		complete + `"tallies": [{"side": "client", "lost": -1}]}`:                                             "found lost -1 and requests 0, expected numbers from 0",
		complete + `"tallies": [{"side": "middle"}]}`:                                                         `found side "middle", expected client or server`,
		complete + `"clock": {"shared": true, "offset_ns": 1000000000}}`:                                      "clock: found offset_ns 1000000000 and bound_ns 0, expected 0",
		complete + `"clock": {"offset_ns": 5}}`:                                                               "clock: found offset_ns 5 and bound_ns 0, expected 0",
		complete + `"clock": {"bound_ns": -5}}`:                                                               "clock.bound_ns: found -5",
		complete + `"clock": {"offset_ns": 9, "bound_ns": 2, "readings": [{"offset_ns": 5, "bound_ns": 1}]}}`: "clock.offset_ns: found 9 ± 2, expected what readings[0] allows: 5 ± 1",
		complete + `"clock": {"shared": true, "readings": [{"offset_ns": 50, "bound_ns": 9}]}}`:               "clock.offset_ns: found 0 ± 0, expected what readings[0] allows: 50 ± 9",
	} {
		d := create(t, t.TempDir(), "core", "")
		if err := os.WriteFile(d.Join(RunFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := d.ReadRun()
		wantError(t, err, d.Path(), want)
	}
	_, err := create(t, t.TempDir(), "core", "").ReadRun()
	wantError(t, err, "is no run directory")
}

func TestReadRunToleratesANewerMinorVersion(t *testing.T) {
	d := create(t, t.TempDir(), "core", "")
	text := `{"schema":"deadlinelab/run","schema_version":"1.9.0","status":"complete","later":{"x":1},"tallies":[{"side":"client"}],
		"evidence":[{"file":"plan.yaml"},{"file":"client.jsonl"},{"file":"server.jsonl"}]}`
	if err := os.WriteFile(d.Join(RunFile), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := d.ReadRun(); err != nil || r.Status != Complete {
		t.Error(err)
	}
}

func write(text string, err error) func(io.Writer) error {
	return func(w io.Writer) error {
		_, failed := io.WriteString(w, text)
		return errors.Join(err, failed)
	}
}

func TestWriteFileReplacesAsAWholeOrNotAtAll(t *testing.T) {
	d := create(t, t.TempDir(), "core", "")
	broken := errors.New("no figures")
	for _, c := range []struct {
		text string
		err  error
		want string
	}{{"old", nil, "old"}, {"half", broken, "old"}, {"new", nil, "new"}} {
		err := d.WriteFile("report.md", write(c.text, c.err))
		if got, _ := d.ReadFile("report.md"); !errors.Is(err, c.err) || string(got) != c.want {
			t.Errorf("%q: %v, file holds %q", c.text, err, got)
		}
	}
	entries, _ := os.ReadDir(d.Path())
	info, _ := entries[0].Info()
	if len(entries) != 1 || runtime.GOOS != "windows" && info.Mode().Perm() != 0o644 {
		t.Errorf("%v, mode %v", entries, info.Mode())
	}
}

func TestWriteFileNamesWhatItCannotWrite(t *testing.T) {
	d := &Dir{path: t.TempDir() + "/gone"}
	wantError(t, d.WriteFile(SummaryFile, write("x", nil)), "summary.json cannot be written")
	d = create(t, t.TempDir(), "core", "")
	if err := os.MkdirAll(d.Join(SummaryFile)+"/x", 0o777); err != nil {
		t.Fatal(err)
	}
	wantError(t, d.WriteFile(SummaryFile, write("x", nil)), "summary.json cannot be replaced")
	if entries, _ := os.ReadDir(d.Path()); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestLogsAreAppendedTo(t *testing.T) {
	d := create(t, t.TempDir(), "core", "")
	for _, line := range []string{"one\n", "two\n"} {
		f, err := d.Log(ClientLog)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString(line)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if got := readLog(t, d, ClientLog); got != "one\ntwo\n" {
		t.Errorf("%q", got)
	}
}

func readLog(t *testing.T, d *Dir, name string) string {
	t.Helper()
	f, err := d.OpenLog(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

func packed(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(text)
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestOpenLogReadsCompressedLogs(t *testing.T) {
	d := create(t, t.TempDir(), "core", "")
	_, err := d.OpenLog(ServerLog)
	wantError(t, err, d.Path(), "neither server.jsonl nor server.jsonl.gz")
	if err := os.WriteFile(d.Join(ServerLog)+".gz", packed(t, []byte("packed")), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := readLog(t, d, ServerLog); got != "packed" {
		t.Errorf("%q", got)
	}
	if err := os.WriteFile(d.Join(ServerLog), []byte("plain"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := readLog(t, d, ServerLog); got != "plain" {
		t.Errorf("the plain log goes first, got %q", got)
	}
}

// Logs packed by bzip2 are read as well; one that is cut off says so.
func TestOpenLogReadsBzip2(t *testing.T) {
	d := create(t, t.TempDir(), "core", "")
	data, err := hex.DecodeString("425a6839314159265359d4c738a200000281802e0840002000221868300152985dc914e14243531ce288")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.Join(ServerLog)+".bz2", data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := readLog(t, d, ServerLog); got != "packed" || !d.Has(ServerLog) {
		t.Errorf("%q, there: %v", got, d.Has(ServerLog))
	}
	if err := os.WriteFile(d.Join(ServerLog)+".bz2", data[:len(data)-4], 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := d.OpenLog(ServerLog)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, err = io.ReadAll(f)
	wantError(t, err, "server.jsonl.bz2 cannot be unpacked, is it cut off?")
}

func TestOpenLogRefusesWhatIsNoGzip(t *testing.T) {
	d := create(t, t.TempDir(), "core", "")
	if err := os.WriteFile(d.Join(ClientLog)+".gz", []byte("plain text"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := d.OpenLog(ClientLog)
	wantError(t, err, "client.jsonl.gz is not compressed as gzip")
}

func TestDecompressionIsBounded(t *testing.T) {
	text := bytes.Repeat([]byte("0"), 10_000)
	for limit, want := range map[int64]string{10_000: "", 9_999: "x.gz unpacks to more than 9999 bytes"} {
		f, err := unpack("x.gz", io.NopCloser(bytes.NewReader(packed(t, text))), limit)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if want == "" {
			if err != nil || !bytes.Equal(got, text) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
			continue
		}
		wantError(t, err, want)
	}
}

func TestATruncatedCompressedLogIsAnError(t *testing.T) {
	whole := packed(t, []byte("some events"))
	f, err := unpack("x.gz", io.NopCloser(bytes.NewReader(whole[:len(whole)-6])), 100)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(f); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	} else {
		wantError(t, err, "x.gz cannot be unpacked, is it cut off?")
	}
}

func TestThisEnvironmentNamesTheMachine(t *testing.T) {
	e := ThisEnvironment("v1.2.3")
	if e.Version != "v1.2.3" || e.Go != runtime.Version() || e.OS != runtime.GOOS || e.CPUs < 1 || e.MaxProcs < 1 {
		t.Errorf("%+v", e)
	}
	if runtime.GOOS == "linux" && (e.Kernel == "" || e.LoadBefore == "" || e.OpenFiles == 0) {
		t.Errorf("%+v", e)
	}
}
