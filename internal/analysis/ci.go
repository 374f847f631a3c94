package analysis

import (
	"bytes"
	"fmt"
	"os"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/term"
)

// StepSummary names the file that GitHub Actions shows on the page of a job.
const StepSummary = "GITHUB_STEP_SUMMARY"

// stepSummaryLimit is what GitHub takes from one step: 1 MiB. Of a larger file
// it shows nothing at all.
const stepSummaryLimit = 1 << 20

// cutNote ends a report that did not fit.
const cutNote = "\n\n**cut here: a step's summary may be 1 MiB; the whole report is in the run directory.**\n"

// summarizeStep appends the run's markdown report to the step's summary when
// there is one. It never costs a run: what goes wrong is a note.
func (a *Run) summarizeStep(s console.Streams) {
	if s.Getenv(StepSummary) == "" {
		return
	}
	var b bytes.Buffer
	if err := a.WriteReport(&b, "markdown", term.Options{Program: s.Program}); err != nil {
		fmt.Fprintf(s.Err, "note: %s: %v\n", StepSummary, err)
		return
	}
	AppendStepSummary(s, b.Bytes())
}

// AppendStepSummary appends markdown to the step's summary, after what earlier
// commands of the step wrote, and cuts what GitHub would not take.
func AppendStepSummary(s console.Streams, markdown []byte) {
	file := s.Getenv(StepSummary)
	if file == "" {
		return
	}
	if err := appendWithin(file, markdown, stepSummaryLimit); err != nil {
		fmt.Fprintf(s.Err, "note: the step's summary lacks the report: %s: %v\n", StepSummary, err)
	}
}

func appendWithin(file string, markdown []byte, limit int) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() > 0 {
		markdown = append([]byte("\n\n"), markdown...) // a heading needs a line of its own
	}
	room := int64(limit) - info.Size()
	fitting := fit(markdown, room)
	if fitting == nil {
		return fmt.Errorf("%d bytes are left of its %d", max(room, 0), limit)
	}
	if _, err := f.Write(fitting); err != nil {
		return err
	}
	return f.Close()
}

// fit cuts markdown after a line, and says so; nil if not even that has room.
func fit(markdown []byte, room int64) []byte {
	if int64(len(markdown)) <= room {
		return markdown
	}
	keep := room - int64(len(cutNote))
	if keep <= 0 {
		return nil
	}
	end := bytes.LastIndexByte(markdown[:keep], '\n')
	if end < 0 {
		return nil
	}
	return append(bytes.Clone(markdown[:end]), cutNote...)
}
