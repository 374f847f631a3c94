package analysis

import (
	"crypto/sha256"
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// EvidenceIn returns the line count and SHA-256 of a file of a run.
func EvidenceIn(dir *rundir.Dir, name string) (rundir.Evidence, error) {
	f, err := dir.OpenLog(name)
	if err != nil {
		return rundir.Evidence{}, err
	}
	defer f.Close()
	return rundir.ReadEvidence(name, f)
}

// doubt finds what in the directory is not what the run wrote.
func (a *Run) doubt(plan []byte, client, server sideLog) {
	digest := rundir.NewDigest()
	digest.Write(plan)
	if changed := a.changedPlan(plan); changed != nil {
		a.mismatches = append(a.mismatches, *changed)
	} else {
		a.unlike(digest.Of(rundir.PlanFile))
	}
	for _, l := range []sideLog{client, server} {
		a.unlike(l.evidence)
		if l.foreign > 0 {
			a.mismatches = append(a.mismatches, timeline.Problem{Requirement: timeline.Requirement(l.name + " holds events alone"),
				Found: fmt.Sprintf("%d foreign lines, which are left out; the first: %v", l.foreign, l.first), Expected: "none"})
		}
	}
	if a.run.Status == rundir.Complete && len(a.run.Tallies) == 0 {
		a.mismatches = append(a.mismatches, timeline.Problem{Requirement: rundir.RunFile + " says how each log ends", Found: "no tallies", Expected: "one for each log"})
	}
}

// unlike compares what a file holds with what it held at the run's end.
func (a *Run) unlike(now rundir.Evidence) {
	if then, known := a.run.EvidenceOf(now.File); known && now != then {
		a.mismatches = append(a.mismatches, timeline.Problem{Requirement: timeline.Requirement(now.File + " as the run was closed with"),
			Found: now.String(), Expected: then.String() + ", the evidence in " + rundir.RunFile})
	}
}

// changedPlan: what a run is judged by must be what it was started with.
func (a *Run) changedPlan(plan []byte) *timeline.Problem {
	found := fmt.Sprintf("%x", sha256.Sum256(plan))
	if found == a.run.PlanDigest {
		return nil
	}
	return &timeline.Problem{Requirement: rundir.PlanFile + " as the run was started with", Found: "digest " + found,
		Expected: fmt.Sprintf("%q, the plan_digest of %s", a.run.PlanDigest, rundir.RunFile)}
}

// EvidenceNote tells a run whose files nobody can hold against anything.
func (a *Run) EvidenceNote() []string {
	if len(a.run.Evidence) > 0 {
		return nil
	}
	return []string{"run.json has no digests of the logs, as in a run of an older bench or one without its end: a change in them may go unseen"}
}
