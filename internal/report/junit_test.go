package report

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/fixture/inputs"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

func readJUnit(t *testing.T, in view.Input) junitSuites {
	t.Helper()
	var b bytes.Buffer
	if err := Write("junit", &b, in); err != nil {
		t.Fatal(err)
	}
	var doc junitSuites
	if err := xml.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	return doc
}

// Each verdict has the one element that parsers count as such.
func TestJUnitVerdicts(t *testing.T) {
	doc := readJUnit(t, inputs.Mixed())
	if want := (junitTally{Tests: 4, Failures: 1, Errors: 1, Skipped: 1}); doc.junitTally != want {
		t.Errorf("tally %+v, want %+v", doc.junitTally, want)
	}
	if len(doc.Suites) != 2 || doc.Suites[0].Name != "semaphore_wait" || len(doc.Suites[0].Cases) != 2 {
		t.Fatalf("suites: %+v", doc.Suites)
	}
	passed, failed := doc.Suites[0].Cases[0], doc.Suites[0].Cases[1]
	if passed.Failure != nil || passed.Error != nil || passed.Skipped != nil || passed.Seconds != "1.12070" {
		t.Errorf("a pass is %+v", passed)
	}
	if failed.Failure == nil || failed.Failure.Message != "outcome: expected deadline_exceeded, actual deadline_exceeded 86, success 2 of 88" {
		t.Errorf("a failure is %+v", failed.Failure)
	}
	if !strings.Contains(failed.Failure.Text, "attempts: expected 0, actual 0 × 86, 1 × 2 of 88") {
		t.Errorf("the second failed check is missing: %q", failed.Failure.Text)
	}
	empty, hostile := doc.Suites[1].Cases[0], doc.Suites[1].Cases[1]
	if empty.Error == nil || empty.Error.Type != "inconclusive" || empty.Seconds != "0" {
		t.Errorf("inconclusive is %+v", empty)
	}
	if hostile.Skipped == nil || hostile.Name != `=cmd|'\x1b[2J<b>\n`+"`_a_`" {
		t.Errorf("unjudged is %+v", hostile)
	}
}

// What proves nothing as a whole is an error, whatever its series say.
func TestJUnitUnfinishedRun(t *testing.T) {
	aborted := inputs.Mixed()
	aborted.Summary.Status, aborted.Run = rundir.Aborted, &rundir.Run{Why: "labserver died"}
	killed := inputs.Mixed()
	killed.Summary.Status = rundir.Running
	empty := view.Input{Summary: &verdict.Summary{Status: rundir.Complete}}
	for want, in := range map[string]view.Input{"the run is incomplete: labserver died": aborted,
		"the run is incomplete: bench did not get to the end": killed, "the run has no series": empty} {
		doc := readJUnit(t, in)
		last := doc.Suites[len(doc.Suites)-1]
		if last.Name != "deadlinelab run" || last.Errors != 1 || last.Cases[0].Error.Message != want {
			t.Errorf("%q: %+v", want, last)
		}
		if doc.Errors != 1+in.Summary.Counts.Inconclusive {
			t.Errorf("%q: %d errors", want, doc.Errors)
		}
	}
}

// Whatever a scenario file or a client wrote, a parser reads back exactly the
// escaped text.
func FuzzJUnit(f *testing.F) {
	for _, text := range []string{"", "]]>", "<![CDATA[", "\x00\x08\x1b", "\xff\xfe", "\ufffe\uffff\ufffd", "a\r\nb\tc", `"'&<>`, " lead and trail ", "\u202e\u2028😀", "-->"} {
		f.Add(text, "want", "got", "why")
		f.Add("scenario", text, text, text)
	}
	f.Fuzz(func(t *testing.T, name, expected, actual, reason string) {
		check := verdict.Check{Requirement: "outcome", Expected: expected, Actual: actual, Verdict: verdict.Fail, Reason: reason}
		s := fixture.Series(name, name, name, expected, actual, 20, reason, reason)
		s.Warnings = []string{reason}
		in := view.Input{Summary: &verdict.Summary{Status: rundir.Complete, Series: []verdict.Series{{Series: s, Checks: []verdict.Check{check}, Verdict: verdict.Fail}}}}
		suite := readJUnit(t, in).Suites[0]
		c := suite.Cases[0]
		if suite.Name != textui.Plain(name) || c.Class != textui.Plain(name) || c.Name != textui.Plain(name) {
			t.Errorf("names %q %q %q, want %q", suite.Name, c.Class, c.Name, textui.Plain(name))
		}
		if c.Failure.Message != textui.Plain(check.OneLine()) {
			t.Errorf("message %q, want %q", c.Failure.Message, textui.Plain(check.OneLine()))
		}
		if want := "fail " + textui.Plain(check.OneLine()) + "\nnext: "; !strings.HasPrefix(c.Failure.Text, want) {
			t.Errorf("text %q, want %q…", c.Failure.Text, want)
		}
		if want := figuresOf(in, in.Summary.Series[0]); c.Output.Text != want {
			t.Errorf("output %q, want %q", c.Output.Text, want)
		}
	})
}
