package eventlog

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

const (
	clientHead  = `{"seq":1,"t_ns":1,"event":"log_opened","schema":"deadlinelab/events","schema_version":"1.0.0","side":"client","experiment":"run","clock":"c","boot_id":"b"}` + "\n"
	serverHeadA = `{"seq":1,"t_ns":1,"event":"log_opened","schema":"deadlinelab/events","schema_version":"1.7.2","side":"server","experiment":"a","clock":"c","boot_id":"b","newer":1}` + "\n"
	serverHeadB = `{"seq":1,"t_ns":1,"event":"log_opened","schema":"deadlinelab/events","schema_version":"1.0.0","side":"server","experiment":"b","clock":"c","boot_id":"b"}` + "\n"
	eventOfA    = `{"seq":2,"t_ns":1,"experiment":"a","event":"connection_accepted"}` + "\n"
)

// wholeLog is a log with its events.
type wholeLog struct {
	Log
	Events []Event
}

func readWhole(name string, r io.Reader) (wholeLog, error) {
	var events []Event
	log, err := ReadEach(name, r, func(e *Event) { events = append(events, *e) })
	if err != nil {
		return wholeLog{}, err
	}
	return wholeLog{*log, events}, nil
}

func TestReadLogOfSeveralExperiments(t *testing.T) {
	log, err := readWhole("server.jsonl", iotest.HalfReader(strings.NewReader(serverHeadA+eventOfA+serverHeadB+eventOfA)))
	if err != nil {
		t.Fatal(err)
	}
	if len(log.Headers) != 2 || len(log.Events) != 4 || log.Torn || log.Events[2].Exp != "b" {
		t.Errorf("%+v", log)
	}
}

func TestReadLogToleratesATornLastLine(t *testing.T) {
	for cut := 1; cut < len(eventOfA)-1; cut++ {
		log, err := readWhole("server.jsonl", strings.NewReader(serverHeadA+eventOfA[:cut]))
		if err != nil || !log.Torn || len(log.Events) != 1 {
			t.Fatalf("cut at %d: %v, torn %v, %d events", cut, err, log.Torn, len(log.Events))
		}
	}
	log, err := readWhole("server.jsonl", strings.NewReader(serverHeadA+strings.TrimSpace(eventOfA)))
	if err != nil || log.Torn || len(log.Events) != 2 {
		t.Errorf("only the newline is missing: %v, %+v", err, log)
	}
}

func TestReadLogNamesFileAndLine(t *testing.T) {
	long := strings.Repeat("x", MaxLine+1)
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "x.jsonl: found no whole line, expected an event log"},
		{"torn header", clientHead[:50], "x.jsonl: found no whole line"},
		{"not first", eventOfA + clientHead, `x.jsonl:1: found event "connection_accepted", expected log_opened`},
		{"garbage", clientHead + "{]\n" + clientHead, "x.jsonl:2: not a JSON object"},
		{"empty line", clientHead + "\n" + eventOfA, "x.jsonl:2: not a JSON object"},
		{"other schema", strings.Replace(clientHead, "/events", "/run", 1), `x.jsonl:1: found schema "deadlinelab/run", expected "deadlinelab/events"`},
		{"newer", strings.Replace(clientHead, "1.0.0", "2.0.0", 1), "x.jsonl:1: schema_version 2.0.0 is newer than 1.0.0"},
		{"no version", strings.Replace(clientHead, "1.0.0", "new", 1), `x.jsonl:1: schema_version "new": expected a version`},
		{"side", strings.Replace(clientHead, "client", "middle", 1), `x.jsonl:1: found side "middle", expected client or server`},
		{"mixed sides", clientHead + serverHeadA, `x.jsonl:2: found a log of side "server" in one of side "client"`},
		{"foreign event", serverHeadB + eventOfA, `x.jsonl:2: event of experiment "a", which no log_opened`},
		{"no op id", clientHead + `{"seq":2,"t_ns":1,"op":"a\u001b[31m","event":"deadline_fired"}` + "\n", `x.jsonl:2: found op "a\x1b[31m", expected [A-Za-z0-9_.~-]{1,96}`},
		{"twice", serverHeadA + serverHeadA, `x.jsonl:2: experiment "a" is opened a second time`},
		{"long line", clientHead + long + "\n", "x.jsonl:2: line is longer than 1048576 bytes"},
	} {
		log, err := readWhole("x.jsonl", strings.NewReader(c.text))
		if err == nil {
			err = log.First
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// One line that does not belong there costs that line, wherever it stands.
func TestReadLogLeavesForeignLinesOut(t *testing.T) {
	long := strings.Repeat("x", 3*MaxLine) + "\n"
	for _, foreign := range []string{"# a note\n", "\n", long, `{"event":""}` + "\n", clientHead, serverHeadA,
		strings.Replace(serverHeadB, "1.0.0", "2.0.0", 1), `{"seq":2,"t_ns":1,"experiment":"b","event":"gate_held"}` + "\n"} {
		for _, text := range []string{serverHeadA + foreign + eventOfA, serverHeadA + eventOfA + foreign} {
			log, err := readWhole("x", strings.NewReader(text))
			if err != nil || log.Foreign != 1 || log.Torn || len(log.Events) != 2 || log.Events[1].Kind != ConnectionAccepted {
				t.Errorf("%.30q: %v, %d foreign, %d events", foreign, err, log.Foreign, len(log.Events))
			}
		}
	}
	for _, text := range []string{"# a note\n" + serverHeadA + eventOfA, serverHeadA + eventOfA + strings.TrimSpace(long)} {
		log, err := readWhole("x", strings.NewReader(text))
		if err != nil || log.Torn == (log.Foreign == 1) || len(log.Events) != 2 {
			t.Errorf("%.30q: %v, %d foreign, torn %v, %d events", text, err, log.Foreign, log.Torn, len(log.Events))
		}
	}
}

func TestReadLogTakesLinesUpToTheLimit(t *testing.T) {
	frame := `{"seq":2,"t_ns":1,"event":"attempt_failed","error":"`
	line := frame + strings.Repeat("e", MaxLine-len(frame)-2) + `"}`
	log, err := readWhole("x", strings.NewReader(clientHead+line+"\n"+line))
	if err != nil || len(log.Events) != 3 {
		t.Errorf("%v", err)
	}
}

func TestReadLogPassesOnReadErrors(t *testing.T) {
	broken := errors.New("broken disk")
	_, err := readWhole("x", iotest.ErrReader(broken))
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "x:1: ") {
		t.Error(err)
	}
}

func FuzzReadLog(f *testing.F) {
	f.Add(clientHead + eventOfA)
	f.Add(serverHeadA + eventOfA + serverHeadB + eventOfA[:9])
	f.Fuzz(func(t *testing.T, text string) {
		log, err := readWhole("x", strings.NewReader(text))
		if err == nil && (len(log.Headers) == 0 || log.Events[0].Kind != LogOpened) {
			t.Fatalf("accepted %q as %+v", text, log)
		}
	})
}

func TestValidOp(t *testing.T) {
	for id, want := range map[string]bool{"slow-r1-D-m0001": true, "A_b.c~d-Z09": true, strings.Repeat("z", 96): true, strings.Repeat("z", 97): false,
		"": false, "a b": false, "a/b": false, "é": false, "a@": false, "a[": false, "a`": false, "a{": false, "\x00": false, "\xc1": false, "\x10": false} {
		if ValidOp(id) != want {
			t.Errorf("%q: %v", id, !want)
		}
	}
}
