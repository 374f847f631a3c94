package app

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// ListScenarios prints the embedded scenarios with their rungs and questions,
// those of some rungs or all of them, in the order of a request's life.
func ListScenarios(s console.Streams, rungs ...string) error {
	list, err := scenario.Ladder(), error(nil)
	if len(rungs) > 0 {
		if list, err = lab.OnRungs(rungs); err != nil {
			return err
		}
	}
	rows := [][]string{{"SCENARIO", "RUNG", "QUESTION"}}
	for _, sc := range list {
		rows = append(rows, []string{sc.Name, sc.StallPoint(), sc.Question})
	}
	if err := s.List(rows); err != nil {
		return err
	}
	if console.IsTerminal(s.Out) {
		fmt.Fprintln(s.Err, "\nnext: bench demo semaphore_wait")
	}
	return nil
}

// ListVariants prints every registered variant with what it does. One without a
// letter is called by its name.
func ListVariants(s console.Streams) error {
	rows := [][]string{{"LETTER", "VARIANT", "WHAT IT DOES"}}
	for _, v := range variants.All() {
		label := v.Label
		if label == v.Name {
			label = ""
		}
		rows = append(rows, []string{label, v.Name, v.Summary})
	}
	return s.List(rows)
}
