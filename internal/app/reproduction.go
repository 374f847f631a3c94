package app

import "github.com/deadlinelab/deadlinelab/internal/report"

// Reproduction sets a run against the published figures, as markdown.
func Reproduction(s Streams, path string) error {
	a, err := open(path)
	if err != nil {
		return err
	}
	return report.Reproduction(s.Out, a.summary, a.merged.Operations)
}
