package term

import (
	"bytes"
	"fmt"
	"io"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// Demo writes what a newcomer sees first: the question, the drawing of every
// subject on one axis, each merged journal, one sentence per subject, and the
// lesson.
func Demo(w io.Writer, s *scenario.Scenario, subjects []chart.Subject, o Options) error {
	var b bytes.Buffer
	write := func(lines ...string) {
		for _, l := range lines {
			b.WriteString(l + "\n")
		}
	}
	write(demoHeader(s, o)...)
	write("")
	write(draw(chart.NewChart(subjects), o)...)
	for _, one := range subjects {
		write(journal(one, o)...)
	}
	write("")
	write(conclusions(s, subjects, o)...)
	text := b.String()
	if o.ASCII {
		text = textui.ToASCII(text)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	return nil
}

func demoHeader(s *scenario.Scenario, o Options) []string {
	lines := textui.Wrap(textui.Plain(s.Name)+": "+textui.Plain(s.Question), o.width(), "")
	lines = append(lines, textui.Hang("  client     ", wording.ClientText(s), o.width())...)
	return append(lines, textui.Hang("  upstream   ", wording.UpstreamText(s), o.width())...)
}

// conclusions are one sentence per subject, then the scenario's lesson.
func conclusions(s *scenario.Scenario, subjects []chart.Subject, o Options) []string {
	var lines []string
	for _, one := range subjects {
		name := textui.Plain(one.Operation.Label) + "  "
		lines = append(lines, textui.Hang(name, chart.Sentence(one.Operation), o.width())...)
	}
	if s.Lesson != "" {
		lines = append(lines, "")
		lines = append(lines, textui.Hang("Lesson: ", textui.Plain(s.Lesson), o.width())...)
	}
	return lines
}
