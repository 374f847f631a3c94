package compare

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

const (
	// noisyFloorMs is the p95 of a noise floor above which a machine can show
	// neither a difference nor the lack of one.
	noisyFloorMs = 5.0
	// tolerableInvalid is the share of planned operations that may be invalid or
	// missing before a series proves nothing.
	tolerableInvalid = 0.05
)

// Options say what is a difference.
type Options struct {
	MarginMs      float64 // allowed in milliseconds
	MarginPercent float64 // allowed in percent of the smaller median
	Pairs         []Pair  // variants to set against each other; none = each against itself
	AllowMissing  bool    // a series that only the old run has is no doubt
}

// Compare judges new against old, in the order of old's series.
func Compare(old, new *Run, o Options) *Comparison {
	j := newJudge(old, new, o)
	p := o.pair(old.Series, new.Series)
	c := &Comparison{Schema: Schema, SchemaVersion: SchemaVersion, Old: old.side(), New: new.side(), MarginMs: o.MarginMs,
		MarginPercent: o.MarginPercent, Series: []Series{}, OnlyOld: p.onlyOld, OnlyNew: p.onlyNew, MissingAllowed: o.AllowMissing, Notes: notes(old, new, p)}
	var verdicts []Verdict
	for _, both := range p.both {
		s := j.series(both[0], both[1])
		c.Series = append(c.Series, s)
		c.Counts.add(s.Verdict)
		c.Doubt = firstOf(c.Doubt, j.shared(s))
		verdicts = append(verdicts, s.Verdict)
	}
	if len(verdicts) == 0 || c.Unproven() {
		verdicts = append(verdicts, Inconclusive)
	}
	c.Verdict = sum(verdicts)
	return c
}

// Unproven reports whether something other than figures leaves the comparison
// open: a series has vanished, or a run is not what it was. No run that is
// repeated on a quieter machine would change that.
func (c *Comparison) Unproven() bool {
	return c.vanished() > 0 || len(c.Old.Mismatches)+len(c.New.Mismatches) > 0
}

// vanished is how many series are missing that may not.
func (c *Comparison) vanished() int {
	if c.MissingAllowed {
		return 0
	}
	return len(c.OnlyOld)
}

func (r *Run) side() Side {
	s := Side{Name: r.Name, Complete: r.Incomplete == "", Why: r.Incomplete, Mismatches: r.Mismatches}
	if p95, ok := r.floorP95(); ok {
		p95 = round(p95, 2)
		s.NoiseFloor = &p95
	}
	return s
}

// judge holds what concerns every series.
type judge struct {
	options  Options
	old, new map[cell][]*timeline.Operation
	noise    float64 // the larger floor p95 of the two runs
	changed  bool    // a run is not what it was
	doubt    string
}

func newJudge(old, new *Run, o Options) *judge {
	j := &judge{options: o, old: old.counted(), new: new.counted()}
	j.read("old", old)
	j.read("new", new)
	return j
}

// read takes a run's noise, and its doubts unless there are some already.
func (j *judge) read(which string, r *Run) {
	p95, ok := r.floorP95()
	j.noise = max(j.noise, p95)
	j.changed = j.changed || len(r.Mismatches) > 0
	switch {
	case j.doubt != "":
	case len(r.Mismatches) > 0:
		j.doubt = fmt.Sprintf("the %s run is not what it was: %s", which, r.Mismatches[0])
	case r.Incomplete != "":
		j.doubt = fmt.Sprintf("the %s run is incomplete: %s", which, r.Incomplete)
	case !ok:
		j.doubt = fmt.Sprintf("the %s run has no noise floor", which)
	case p95 > noisyFloorMs:
		j.doubt = fmt.Sprintf("the %s run's machine was noisy: floor p95 %.2f ms, above %.0f nothing can be judged", which, p95, noisyFloorMs)
	}
}

func (j *judge) series(old, new *timeline.Series) Series {
	a, b := j.old[cellOf(old)], j.new[cellOf(new)]
	s := Series{Scenario: old.Scenario, Old: side(old), New: side(new), Ending: endings(a, b), Times: []Time{}}
	verdicts := []Verdict{s.Ending.Verdict}
	if !s.Ending.Changed {
		tried, arrived := counts(a, b, attempts), counts(a, b, requests)
		if !reported(old) || !reported(new) {
			tried = Count{Verdict: Same}
		} else {
			s.Attempts = &tried
		}
		s.ServerRequests = &arrived
		s.Times = j.times(a, b, tried.Changed, max(startupSpread(old), startupSpread(new)))
		verdicts = append(verdicts, tried.Verdict, arrived.Verdict)
		for _, t := range s.Times {
			verdicts = append(verdicts, t.Verdict)
		}
	}
	s.Verdict = sum(verdicts)
	j.finalize(&s, sameMeasurement(a, b) && len(a) > 0)
	return s
}

// startupSpread is how much the start-ups vary that a series is net of: no
// smaller difference is the client's.
func startupSpread(s *timeline.Series) float64 {
	if s.StartupMs == nil || s.StartupMs.P95 == nil {
		return 0
	}
	return *s.StartupMs.P95 - s.StartupMs.Median
}

// shared is the doubt of a series if all have it.
func (j *judge) shared(s Series) string {
	if s.Doubt == j.doubt {
		return s.Doubt
	}
	return ""
}

// finalize gives doubts their due: they outweigh every judgement, but not the
// fact that both sides are one measurement. A run that is not what it was is none.
func (j *judge) finalize(s *Series, one bool) {
	if one && !j.changed {
		s.same()
		return
	}
	s.Doubt = firstOf(j.doubt, s.Old.doubt("old"), s.New.doubt("new"))
	if s.Doubt != "" {
		s.Verdict = Inconclusive
	}
}

// same says of one measurement what no interval can: nothing differs.
func (s *Series) same() {
	for i := range s.Times {
		s.Times[i].Verdict, s.Times[i].Reason = Same, "one measurement"
	}
	s.Verdict = Same
}

func side(s *timeline.Series) Cell {
	return Cell{Variant: s.Variant, Label: s.Label, Planned: s.Planned, N: s.N, Invalid: s.Invalid, Disturbed: s.Disturbed}
}

// doubt says why a series proves nothing.
func (c Cell) doubt(which string) string {
	lost := c.Planned - c.N - c.Disturbed // invalid or missing
	switch {
	case c.N == 0:
		return fmt.Sprintf("no operation of the %s run counts", which)
	case float64(lost) > tolerableInvalid*float64(c.Planned):
		return fmt.Sprintf("%d of %d operations of the %s run are invalid or missing", lost, c.Planned, which)
	}
	return ""
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
