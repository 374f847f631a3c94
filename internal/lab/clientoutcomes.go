package lab

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/extclient"
	"github.com/deadlinelab/deadlinelab/internal/nearest"
)

// ExitOutcomes lists what an exit status can be mapped to.
func ExitOutcomes() []string { return extclient.Assignable() }

// mapOutcomes gives the exec clients what --exec-outcome says: all of them, or
// the one that is named.
func (o ClientOptions) mapOutcomes(list []ClientSpec) error {
	if err := checkOnce(o.Outcomes); err != nil {
		return err
	}
	for _, text := range o.Outcomes {
		name, mapping := cutName(text)
		status, outcome, err := extclient.ParseOutcome(mapping)
		if err != nil {
			return exit.Usagef("like --exec-outcome 28=deadline_exceeded, or NAME:28=deadline_exceeded", "--exec-outcome %s: %w", text, err)
		}
		if err := assign(list, name, status, outcome); err != nil {
			return exit.Usagef("name a client of --exec or --clients", "--exec-outcome %s: %w", text, err)
		}
	}
	return nil
}

// checkOnce refuses two outcomes of one status, of which one would win silently.
func checkOnce(mappings []string) error {
	said := map[string]string{} // by [NAME:]STATUS
	for _, text := range mappings {
		status, outcome, _ := strings.Cut(text, "=")
		if before, again := said[status]; again && before != outcome {
			return exit.Usagef("leave one of them out", "--exec-outcome %s: found %s=%s before it, expected one outcome of a status", text, status, before)
		}
		said[status] = outcome
	}
	return nil
}

// cutName takes NAME: off.
func cutName(text string) (name, mapping string) {
	if name, mapping, ok := strings.Cut(text, ":"); ok {
		return name, mapping
	}
	return "", text
}

func assign(list []ClientSpec, name string, status int, outcome eventlog.Outcome) error {
	var execs []string
	for i, c := range list {
		if c.kind != eventlog.ExecClient {
			continue
		}
		execs = append(execs, c.Name)
		if name == "" || name == c.Name {
			list[i].outcomes = with(c.outcomes, status, outcome)
		}
	}
	switch {
	case len(execs) == 0:
		return errors.New("there is no client that is one process per operation")
	case name != "" && !slices.Contains(execs, name):
		return fmt.Errorf("no such client %q: expected %s%s", name, strings.Join(execs, ", "), nearest.DidYouMean(name, execs))
	}
	return nil
}

func with(outcomes map[int]eventlog.Outcome, status int, outcome eventlog.Outcome) map[int]eventlog.Outcome {
	if outcomes == nil {
		outcomes = map[int]eventlog.Outcome{}
	}
	outcomes[status] = outcome
	return outcomes
}
