package bench

import (
	"fmt"
	"text/tabwriter"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// ListScenarios prints every embedded scenario with its question.
func ListScenarios(s Streams) error {
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SCENARIO\tQUESTION")
	for _, sc := range scenario.All() {
		fmt.Fprintf(w, "%s\t%s\n", sc.Name, sc.Question)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if isTerminal(s.Out) {
		fmt.Fprintln(s.Err, "\nnext: bench demo semaphore_wait")
	}
	return nil
}

// ListVariants prints every registered variant with what it does.
func ListVariants(s Streams) error {
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "LABEL\tVARIANT\tWHAT IT DOES")
	for _, v := range variants.All() {
		fmt.Fprintf(w, "%s\t%s\t%s\n", v.Label, v.Name, v.Summary)
	}
	return w.Flush()
}
