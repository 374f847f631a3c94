package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/rundir"
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
func writeJUnit(b *bytes.Buffer, in Input) error {
	doc := junitSuites{Name: "deadlinelab"}
	for _, g := range in.Summary.groups() {
		doc.add(in.junitSuite(g))
	}
	if why := in.unfinished(); why != "" {
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

func (in Input) junitSuite(g group) junitSuite {
	suite := junitSuite{Name: plain(g.name)}
	for _, one := range g.series {
		suite.add(in.junitCase(one))
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

func (in Input) junitCase(one Series) junitCase {
	c := junitCase{Class: plain(one.Scenario), Name: plain(one.Variant), Seconds: "0", Output: &junitOutput{in.junitFigures(one)}}
	if d := one.JudgedMs(); d != nil {
		c.Seconds = fmt.Sprintf("%.5f", max(0, d.Median)/1000)
	}
	switch one.Verdict {
	case Fail:
		c.Failure = in.junitReason(one)
	case Inconclusive:
		c.Error = in.junitReason(one)
	case NotApplicable:
		c.Skipped = &junitReason{Message: "not applicable: " + plain(one.NotApplicable)}
	case Unjudged:
		c.Skipped = &junitReason{Message: "unjudged: no expectation is written for this variant"}
	}
	return c
}

// junitReason names the requirements that did not hold, failed ones first.
func (in Input) junitReason(one Series) *junitReason {
	r := &junitReason{Type: string(one.Verdict)}
	var lines []string
	var next string
	for _, f := range in.Summary.findings() {
		if f.series.Scenario != one.Scenario || f.series.Variant != one.Variant {
			continue
		}
		if r.Message == "" {
			r.Message = plain(f.check.oneLine())
			next = in.referencesText(f) + "next: " + plain(in.next(f))
			if again := in.again(f); again != "" {
				next += "\nagain: " + plain(again)
			}
		}
		lines = append(lines, string(f.check.Verdict)+" "+plain(f.check.oneLine()))
	}
	r.Text = strings.Join(append(lines, next), "\n")
	return r
}

func (in Input) referencesText(f finding) (text string) {
	for _, at := range in.references(f) {
		text += at.what + ": " + plain(at.where) + "\n"
	}
	return text
}

// oneLine is a check in one line.
func (c Check) oneLine() string {
	text := fmt.Sprintf("%s: expected %s, actual %s", c.Requirement, c.Expected, c.Actual)
	if c.Reason != "" {
		text += " (" + c.Reason + ")"
	}
	return text
}

// junitFigures are the lines that a person wants beside a case.
func (in Input) junitFigures(s Series) string {
	if s.NotApplicable != "" {
		return plain(s.Label) + ": not applicable: " + plain(s.NotApplicable)
	}
	lines := []string{
		plain(s.Label) + ": " + nText(s.Series) + ", outcome " + plain(short(s.Outcomes, outcomeOrder, s.N)) + ", promise " + plain(promisesText(s.Series)),
		"median " + medianText(s.JudgedMs()) + " ms [" + intervalText(s.JudgedMs()) + "]" + besides(rawText(s.Series)) + ", overshoot " + pairText(s.OvershootMs, "%+.1f") +
			" ms, noise floor " + pairText(s.NoiseFloorMs, "%.1f") + " ms",
		"attempts " + plain(short(s.Attempts, nil, s.N)) + ", server requests " + plain(short(s.ServerRequests, nil, s.N)),
	}
	if c := in.client(s.Variant); c != nil {
		lines = append(lines, "client "+plain(c.Name)+": "+c.oneLine())
	}
	for _, text := range about(s.Series) {
		lines = append(lines, plain(text))
	}
	if s.UnreportedBecause != "" {
		lines = append(lines, "not reported: "+plain(s.UnreportedBecause))
	}
	for _, w := range s.Warnings {
		lines = append(lines, "note: "+plain(w))
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
func (in Input) unfinished() string {
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
	suite.add(junitCase{Class: "deadlinelab run", Name: "complete", Seconds: "0", Error: &junitReason{Message: plain(why), Type: "incomplete"}})
	return suite
}
