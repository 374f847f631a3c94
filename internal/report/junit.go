package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

func init() { Register("junit", writeJUnit) }

// The elements that the parsers of GitLab, Jenkins and the usual GitHub actions
// share. A case holds at most one of failure, error and skipped, because some
// of them read only the first.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitTally
		Suites []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitTally
		Cases []junitCase `xml:"testcase"`
	}
	junitTally struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitCase struct {
		Class   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		Seconds string       `xml:"time,attr"` // median of one operation
		Failure *junitReason `xml:"failure"`
		Error   *junitReason `xml:"error"`
		Skipped *junitReason `xml:"skipped"`
		Output  *junitOutput `xml:"system-out"`
	}
	junitReason struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",cdata"`
	}
	junitOutput struct {
		Text string `xml:",cdata"`
	}
)

// writeJUnit is one suite per scenario and one case per series. Fail becomes
// failure; inconclusive becomes error, which no parser counts as passed;
// unjudged and not applicable become skipped. A run that is not complete, or has no series, gets
// a suite of its own with one error: it must not look green.
func writeJUnit(b *bytes.Buffer, in view.Input) error {
	doc := junitSuites{Name: "deadlinelab"}
	for _, g := range in.Summary.Groups() {
		doc.add(suiteOf(in, g))
	}
	if why := unfinished(in); why != "" {
		doc.add(junitBroken(why))
	}
	b.WriteString(xml.Header)
	e := xml.NewEncoder(b)
	e.Indent("", " ")
	if err := e.Encode(doc); err != nil {
		return err
	}
	b.WriteByte('\n')
	return nil
}

func (d *junitSuites) add(s junitSuite) {
	d.Suites = append(d.Suites, s)
	d.Tests += s.Tests
	d.Failures += s.Failures
	d.Errors += s.Errors
	d.Skipped += s.Skipped
}

func suiteOf(in view.Input, g verdict.Group) junitSuite {
	suite := junitSuite{Name: textui.Plain(g.Name)}
	for _, one := range g.Series {
		suite.add(caseOf(in, one))
	}
	return suite
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	s.Failures += c.Failure.count()
	s.Errors += c.Error.count()
	s.Skipped += c.Skipped.count()
}

func (r *junitReason) count() int {
	if r == nil {
		return 0
	}
	return 1
}

func caseOf(in view.Input, one verdict.Series) junitCase {
	c := junitCase{Class: textui.Plain(one.Scenario), Name: textui.Plain(one.Variant), Seconds: "0", Output: &junitOutput{figuresOf(in, one)}}
	if d := one.JudgedMs(); d != nil {
		c.Seconds = fmt.Sprintf("%.5f", max(0, d.Median)/1000)
	}
	switch one.Verdict {
	case verdict.Fail:
		c.Failure = reasonOf(in, one)
	case verdict.Inconclusive:
		c.Error = reasonOf(in, one)
	case verdict.NotApplicable:
		c.Skipped = &junitReason{Message: "not applicable: " + textui.Plain(one.NotApplicable)}
	case verdict.Unjudged:
		c.Skipped = &junitReason{Message: "unjudged: no expectation is written for this variant"}
	}
	return c
}

// reasonOf names the requirements that did not hold, failed ones first.
func reasonOf(in view.Input, one verdict.Series) *junitReason {
	r := &junitReason{Type: string(one.Verdict)}
	var lines []string
	var next string
	for _, f := range in.Summary.Findings() {
		if f.Series.Scenario != one.Scenario || f.Series.Variant != one.Variant {
			continue
		}
		if r.Message == "" {
			r.Message = textui.Plain(f.Check.OneLine())
			next = referencesText(in, f) + "next: " + textui.Plain(in.Next(f))
			if again := in.Again(f); again != "" {
				next += "\nagain: " + textui.Plain(again)
			}
		}
		lines = append(lines, string(f.Check.Verdict)+" "+textui.Plain(f.Check.OneLine()))
	}
	r.Text = strings.Join(append(lines, next), "\n")
	return r
}

func referencesText(in view.Input, f verdict.Finding) (text string) {
	for _, at := range in.References(f) {
		text += at.What + ": " + textui.Plain(at.Where) + "\n"
	}
	return text
}

// figuresOf are the lines that a person wants beside a case.
func figuresOf(in view.Input, s verdict.Series) string {
	if s.NotApplicable != "" {
		return textui.Plain(s.Label) + ": not applicable: " + textui.Plain(s.NotApplicable)
	}
	lines := []string{
		textui.Plain(s.Label) + ": " + wording.NText(s.Series) + ", outcome " + textui.Plain(wording.Short(s.Outcomes, wording.OutcomeOrder, s.N)) + ", promise " + textui.Plain(wording.PromisesText(s.Series)),
		"median " + wording.MedianText(s.JudgedMs()) + " ms [" + wording.IntervalText(s.JudgedMs()) + "]" + besides(wording.RawText(s.Series)) + ", overshoot " + wording.PairText(s.OvershootMs, "%+.1f") +
			" ms, noise floor " + wording.PairText(s.NoiseFloorMs, "%.1f") + " ms",
		"attempts " + textui.Plain(wording.Short(s.Attempts, nil, s.N)) + ", server requests " + textui.Plain(wording.Short(s.ServerRequests, nil, s.N)),
	}
	if c := in.Client(s.Variant); c != nil {
		lines = append(lines, "client "+textui.Plain(c.Name)+": "+c.OneLine())
	}
	for _, text := range wording.About(s.Series) {
		lines = append(lines, textui.Plain(text))
	}
	if s.UnreportedBecause != "" {
		lines = append(lines, "not reported: "+textui.Plain(s.UnreportedBecause))
	}
	for _, w := range s.Warnings {
		lines = append(lines, "note: "+textui.Plain(w))
	}
	return strings.Join(lines, "\n")
}

func besides(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + " ms)"
}

// unfinished says why the run as a whole proves nothing, "" if it may.
func unfinished(in view.Input) string {
	switch {
	case in.Summary.Status != rundir.Complete && in.Run != nil && in.Run.Why != "":
		return "the run is incomplete: " + in.Run.Why
	case in.Summary.Status != rundir.Complete:
		return "the run is incomplete: bench did not get to the end"
	case len(in.Summary.Mismatches) > 0:
		return "the run is not what it was: " + strings.Join(in.Summary.Mismatches, "; ")
	case len(in.Summary.Series) == 0:
		return "the run has no series"
	}
	return ""
}

func junitBroken(why string) junitSuite {
	suite := junitSuite{Name: "deadlinelab run"}
	suite.add(junitCase{Class: "deadlinelab run", Name: "complete", Seconds: "0", Error: &junitReason{Message: textui.Plain(why), Type: "incomplete"}})
	return suite
}
