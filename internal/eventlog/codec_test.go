package eventlog

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// texts that a codec gets wrong first.
var texts = []string{"", "slow_headers-r1-D-m0016", `quote " and \ backslash`, "line\nfeed\ttab\r\x00\x1f\x7f", "déjà vu 日本 \U0001F600", "\u2028<&>", "127.0.0.1:40123"}

func anyText(rnd *rand.Rand) string { return texts[rnd.IntN(len(texts))] }

func anyInt(rnd *rand.Rand) int64 {
	switch rnd.IntN(4) {
	case 0:
		return 0
	case 1:
		return rnd.Int64N(1000)
	case 2:
		return -rnd.Int64N(1 << 40)
	}
	return int64(rnd.Uint64())
}

func anyMs(rnd *rand.Rand) float64 { return float64(anyInt(rnd)%(1<<50)) / 1000 }

// anyEvent is an event of a known kind with arbitrary fields.
func anyEvent(rnd *rand.Rand) Event {
	e := Event{Seq: rnd.Uint64(), Kind: Descriptions[rnd.IntN(len(Descriptions))].Kind}
	fill(rnd, reflect.ValueOf(&e).Elem())
	switch e.Kind {
	case LeaksCounted:
		e.Leaks = new(Leaks)
		fill(rnd, reflect.ValueOf(e.Leaks).Elem())
	case OperationStarted:
		e.Start = new(Start)
		fill(rnd, reflect.ValueOf(e.Start).Elem())
	case LogOpened:
		e.Header = new(Header)
		fill(rnd, reflect.ValueOf(e.Header).Elem())
		if e.Exp = ""; rnd.IntN(2) == 0 {
			e.Header.Side, e.Exp = ServerSide, e.Header.Experiment
		}
	}
	return e
}

func fill(rnd *rand.Rand, v reflect.Value) {
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		if name == "Seq" || name == "Kind" || rnd.IntN(3) == 0 {
			continue
		}
		switch f.Kind() {
		case reflect.String:
			f.SetString(anyText(rnd))
		case reflect.Int, reflect.Int64:
			f.SetInt(anyInt(rnd))
		case reflect.Float64:
			f.SetFloat(anyMs(rnd))
		case reflect.Bool:
			f.SetBool(rnd.IntN(2) == 0)
		}
	}
}

func TestDecodeReadsBackWhatAppendJSONWrites(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 4_000 {
		want := anyEvent(rnd)
		line := AppendJSON(nil, &want)
		got, err := Decode(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\n%s", line, cmp.Diff(want, got))
		}
	}
}

func TestEveryFieldOfEventIsWritten(t *testing.T) {
	full := Event{Kind: FaultFired, Seq: 7}
	v := reflect.ValueOf(&full).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case v.Type().Field(i).Name == "Kind":
		case f.Kind() == reflect.String:
			f.SetString("x")
		case f.CanInt():
			f.SetInt(5)
		case f.CanFloat():
			f.SetFloat(5.5)
		case f.Kind() == reflect.Bool:
			f.SetBool(true)
		}
	}
	ours := map[string]any{}
	theirs := map[string]any{}
	standard, _ := json.Marshal(full)
	if json.Unmarshal(AppendJSON(nil, &full), &ours) != nil || json.Unmarshal(standard, &theirs) != nil {
		t.Fatal("not JSON")
	}
	if diff := cmp.Diff(theirs, ours); diff != "" {
		t.Error(diff)
	}
}

func TestAppendJSONIsOneExactLine(t *testing.T) {
	for _, c := range []struct {
		event Event
		want  string
	}{
		{Event{Seq: 1841, TNs: 9, Op: "x", Attempt: 2, Kind: BackoffStarted, PlannedMs: 100, RemainingMs: 500},
			`{"seq":1841,"t_ns":9,"op":"x","attempt":2,"event":"backoff_started","remaining_ms":500,"planned_ms":100}`},
		{Event{Seq: 2, Kind: BackoffStarted, Op: "x"},
			`{"seq":2,"t_ns":0,"op":"x","event":"backoff_started","remaining_ms":0,"planned_ms":0}`},
		{Event{Seq: 3, Exp: "e", Kind: FaultFired, Exchange: 1, LateMs: -0.25},
			`{"seq":3,"t_ns":0,"experiment":"e","exchange":1,"event":"fault_fired","due_ns":0,"late_ms":-0.25}`},
		{Event{Seq: 4, Kind: NoiseSampled, DueNs: 5, LateMs: 0.5678},
			`{"seq":4,"t_ns":0,"event":"noise_sampled","due_ns":5,"late_ms":0.568}`},
		{Event{Seq: 5, Kind: AttemptStarted, Attempt: 1, RemainingMs: math.NaN()},
			`{"seq":5,"t_ns":0,"attempt":1,"event":"attempt_started","remaining_ms":0}`},
		{Event{Seq: 6, Kind: BackoffStarted, RemainingMs: math.Inf(-1), PlannedMs: math.Inf(1)},
			`{"seq":6,"t_ns":0,"event":"backoff_started","remaining_ms":-9000000000000,"planned_ms":9000000000000}`},
		{Event{Seq: 7, Kind: ConnectionAcquired, Attempt: 1, Conn: "c"},
			`{"seq":7,"t_ns":0,"attempt":1,"event":"connection_acquired","reused":false,"conn":"c"}`},
		{Event{Seq: 8, Kind: AttemptFailed, Attempt: 1, Error: "bad \xff\" byte"},
			`{"seq":8,"t_ns":0,"attempt":1,"event":"attempt_failed","error":"bad ` + "\uFFFD" + `\" byte"}`},
		{Event{Seq: 1, Kind: LogOpened, Exp: "e", Header: &Header{Schema: Schema, SchemaVersion: "1.0.0", Side: ServerSide, Experiment: "e", Clock: "c"}},
			`{"seq":1,"t_ns":0,"event":"log_opened","schema":"deadlinelab/events","schema_version":"1.0.0","side":"server","experiment":"e","clock":"c","boot_id":""}`},
		{Event{Seq: 9, Kind: OperationStarted, Op: "o", Start: &Start{Scenario: "s", Variant: "v", Label: "D", Repeat: 1, Index: 2, Phase: Measured, BudgetMs: 1000, DeadlineNs: 3}},
			`{"seq":9,"t_ns":0,"op":"o","event":"operation_started","scenario":"s","variant":"v","label":"D","repeat":1,"index":2,"phase":"measured","budget_ms":1000,"deadline_ns":3}`},
	} {
		if got := string(AppendJSON(nil, &c.event)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestDecodeToleratesNewerMinorVersions(t *testing.T) {
	e, err := Decode([]byte(` {"seq":1, "t_ns":2, "event":"brand_new", "more":{"a":[1,2]}, "op":null, "late_ms":1.5e1} `))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Event{Seq: 1, TNs: 2, Kind: "brand_new", LateMs: 15}, e); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeSaysWhatIsWrong(t *testing.T) {
	for line, want := range map[string]string{
		``:                            "not a JSON object",
		`{}`:                          `no "event"`,
		`[]`:                          "found a JSON array, expected one object",
		`{"event":"x"`:                "not a JSON object",
		`{"event":"x"} {}`:            "not a JSON object",
		`{"event":"x",}`:              "not a JSON object",
		`{"event":7}`:                 `field "event": found a JSON number, expected a string`,
		`{"event":"x","seq":"1"}`:     `field "seq": found a JSON string, expected a whole number`,
		`{"event":"x","seq":-1}`:      `field "seq": found a JSON number -1, expected a whole number`,
		`{"event":"x","status":1.5}`:  `field "status": found a JSON number 1.5, expected a whole number`,
		`{"event":"x","late_ms":"1"}`: `field "late_ms": found a JSON string, expected a number`,
		`{"event":"x","late_ms":1.}`:  "not a JSON object",
		`{"event":"x","late_ms":01}`:  "not a JSON object",
		`{"event":"x","reused":1}`:    `field "reused": found a JSON number, expected true or false`,
		`{"event":"x","t_ns":99999999999999999999}`:     `field "t_ns": found a JSON number 99999999999999999999`,
		`{"event":"operation_started","budget_ms":"1"}`: `field "budget_ms": found a JSON string, expected a number`,
		`{"event":"log_opened","schema":1}`:             `field "schema": found a JSON number, expected a string`,
	} {
		_, err := Decode([]byte(line))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", line, err, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 64 {
		e := anyEvent(rnd)
		f.Add(AppendJSON(nil, &e))
	}
	f.Add([]byte(`{"event":"x","late_ms":-0,"seq":0,"late_ms":0.10}`))
	f.Add([]byte(`{"event":"x","Event":"y","op":"\u0041"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var d decoder
		var quick Event
		want, err := decodeJSON(line)
		if d.quick(line, &quick) && (err != nil || !reflect.DeepEqual(quick, want)) {
			t.Fatalf("quick read %+v, encoding/json %+v, %v", quick, want, err)
		}
		if err != nil || !canonical(&want) {
			return
		}
		again, err := Decode(AppendJSON(nil, &want))
		if err != nil || !reflect.DeepEqual(again, want) {
			t.Fatalf("%v\n%s", err, cmp.Diff(want, again))
		}
	})
}

// canonical tells whether every number of e survives three decimals.
func canonical(e *Event) bool {
	all := []float64{e.RemainingMs, e.PlannedMs, e.LateMs}
	if e.Start != nil {
		all = append(all, e.Start.BudgetMs)
	}
	for _, ms := range all {
		if math.Abs(ms) >= maxMs || math.Round(ms*1000)/1000 != ms || (ms == 0 && math.Signbit(ms)) {
			return false
		}
	}
	return true
}

func FuzzAppendJSONIsValid(f *testing.F) {
	for _, s := range texts {
		f.Add(s, 1.5)
	}
	f.Add("\xff\xfe\xed\xa0\x80", math.NaN())
	f.Fuzz(func(t *testing.T, text string, ms float64) {
		e := Event{Kind: Kind("k" + text), Op: text, Error: text, LateMs: ms, Seq: 1}
		line := AppendJSON(nil, &e)
		if !json.Valid(line) || !utf8.Valid(line) {
			t.Fatalf("%q", line)
		}
		got, err := Decode(line)
		if want := strings.ToValidUTF8(text, "\uFFFD"); err != nil || utf8.ValidString(text) && got.Error != want {
			t.Fatalf("%q: %v", line, err)
		}
	})
}

func TestAppendJSONAllocatesNothing(t *testing.T) {
	events := typicalEvents()
	buffer := make([]byte, 0, 4096)
	if n := testing.AllocsPerRun(100, func() {
		for i := range events {
			buffer = AppendJSON(buffer[:0], &events[i])
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// typicalEvents are what most lines of a run look like.
func typicalEvents() []Event {
	op := "slow_headers-r1-D-m0016"
	return []Event{
		{Seq: 1841, TNs: 123456789012345, Op: op, Kind: BackoffStarted, Attempt: 2, PlannedMs: 100, RemainingMs: 499.25},
		{Seq: 1842, TNs: 123456789112345, Op: op, Kind: ConnectionAcquired, Attempt: 2, Conn: "127.0.0.1:40123", Reused: true},
		{Seq: 1843, TNs: 123456789212345, Op: op, Kind: RequestWritten, Attempt: 2},
		{Seq: 1844, TNs: 123456789312345, Op: op, Exp: "slow_headers-r1-D", Kind: FaultFired, Exchange: 2, DueNs: 123456789311345, LateMs: 0.112, Fault: "slow_headers"},
	}
}

func TestDocsShowEveryKind(t *testing.T) {
	const file = "../../docs/events.md"
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(got), tableBegin)
	table, _, found := strings.Cut(after, tableEnd)
	if !found {
		t.Fatalf("%s: no table between %q and %q", file, tableBegin, tableEnd)
	}
	if diff := cmp.Diff(docsTable(), strings.TrimSpace(table)); diff != "" {
		t.Errorf("%s: replace the table by\n%s\n\n%s", file, docsTable(), diff)
	}
}

const tableBegin, tableEnd = "<!-- kinds -->", "<!-- /kinds -->"

func docsTable() string {
	var b strings.Builder
	b.WriteString("| event | side | always carries | and when known | meaning |\n|---|---|---|---|---|")
	for _, d := range Descriptions {
		b.WriteString("\n| `" + string(d.Kind) + "` | " + d.Side + " | " + strings.Join(d.Always, ", ") + " | " + strings.Join(d.Sometimes, ", ") + " | " + d.Meaning + " |")
	}
	return b.String()
}

func BenchmarkAppendJSON(b *testing.B) {
	events := typicalEvents()
	buffer := make([]byte, 0, 4096)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		buffer = AppendJSON(buffer[:0], &events[i%len(events)])
	}
}

func BenchmarkDecode(b *testing.B) {
	var lines [][]byte
	for _, e := range typicalEvents() {
		lines = append(lines, AppendJSON(nil, &e))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := Decode(lines[i%len(lines)]); err != nil {
			b.Fatal(err)
		}
	}
}
