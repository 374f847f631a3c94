package app

import (
	"path/filepath"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/report"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// LadderRun is where the committed run of the whole ladder lies.
const LadderRun = "results/ladder"

// Waits sets a run of the ladder and the scenarios as they are now on one page,
// as markdown.
func Waits(s Streams, path string) error {
	a, err := open(path)
	if err != nil {
		return err
	}
	ladder := scenario.Ladder()
	a.printNotes(s)
	return report.Waits(s.Out, report.WaitsInput{Input: a.input(), Dir: filepath.ToSlash(filepath.Clean(path)), Shipped: ladder, Changed: a.changed(ladder)})
}

// changed names the scenarios whose files have other settings than the run.
func (a *analysis) changed(now []*scenario.Scenario) []string {
	var names []string
	for _, s := range now {
		if measured := a.scenario(s.Name); measured != nil && !slices.Equal(settings(measured), settings(s)) {
			names = append(names, s.Name)
		}
	}
	return names
}
