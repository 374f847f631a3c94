package lab

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// noteFailedStartups says why a client has no start-up: a command that fails
// under a healthy upstream is not the client that somebody meant. One that broke
// has a check that says so.
func noteFailedStartups(s console.Streams, plan *runner.Plan, run *timeline.Run) {
	operations := run.Operations
	for _, v := range plan.Clients() {
		n, why, requests := 0, "", 0
		for _, op := range operations {
			switch {
			case op.Variant != v.Name || op.Phase != eventlog.Startup || !op.Finished:
			case op.Outcome == eventlog.Success || op.ClientBroke != "":
				n = -len(operations)
			default:
				n, why, requests = n+1, cmp.Or(why, cmp.Or(op.Error, string(op.Outcome))), requests+op.ServerRequests
			}
		}
		if n > 0 {
			fmt.Fprintf(s.Err, "note: %s: not one of its %d start-ups under %s was a success: %s\n", v.Name, n, StartUnder, textui.Plain(strings.Join(strings.Fields(why), " ")))
		}
		if n > 0 && requests == 0 && run.Refused(StartUnder) > 0 {
			fmt.Fprintf(s.Err, "note: %s: no request for one of its operations reached the server, which refused %d others; the report says which\n", v.Name, run.Refused(StartUnder))
		} else if n > 0 && requests == 0 {
			fmt.Fprintf(s.Err, "note: %s: no request reached the server: the command has to get {url}, or what DEADLINELAB_URL holds\n", v.Name)
		}
	}
}

// NoteNotApplicable says which clients will not be seen, and why.
func NoteNotApplicable(s console.Streams, plan *runner.Plan) {
	for _, c := range plan.Cells {
		if c.NotApplicable != "" {
			fmt.Fprintf(s.Err, "note: %s is not applicable in %s: %s\n", c.Variant, c.Scenario, c.NotApplicable)
		}
	}
}
