package rundir

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// check refuses what no bench has written, or a later one.
func (r *Run) check() error {
	if r.Schema != RunSchema {
		return fmt.Errorf("found schema %q, expected %q", r.Schema, RunSchema)
	}
	major, minor, err := r.version()
	switch {
	case err != nil:
		return fmt.Errorf("found schema_version %q, expected one such as %s", r.SchemaVersion, RunSchemaVersion)
	case major > runMajor:
		return fmt.Errorf("schema_version %s is newer than %s, which this program reads: use a newer deadlinelab", r.SchemaVersion, RunSchemaVersion)
	case r.Status != Running && r.Status != Complete && r.Status != Aborted:
		return fmt.Errorf("found status %q, expected running, complete or aborted", r.Status)
	case r.Status == Complete && (major > 1 || minor >= 1):
		err = r.whole()
	}
	return errors.Join(err, r.Clock.check(), r.checkTallies())
}

func (r *Run) version() (major, minor int, err error) {
	a, rest, _ := strings.Cut(r.SchemaVersion, ".")
	b, _, _ := strings.Cut(rest, ".")
	if major, err = strconv.Atoi(a); err != nil || major < 0 {
		return 0, 0, errors.New("no version")
	}
	minor, _ = strconv.Atoi(b)
	return major, minor, nil
}

// whole holds a complete run to what every complete one writes since 1.1.
func (r *Run) whole() error {
	for _, file := range EvidenceFiles {
		if _, there := r.EvidenceOf(file); !there {
			return fmt.Errorf("found no evidence of %s, expected its lines and sha256: every complete run has them since schema_version 1.1", file)
		}
	}
	if len(r.Tallies) == 0 {
		return errors.New("found no tallies, expected one for each log: every complete run has them")
	}
	return nil
}

func (r *Run) checkTallies() error {
	for _, t := range r.Tallies {
		if t.Lost < 0 || t.Requests < 0 {
			return fmt.Errorf("tally of %s log %q: found lost %d and requests %d, expected numbers from 0", t.Side, t.Experiment, t.Lost, t.Requests)
		}
		if t.Side != "client" && t.Side != "server" {
			return fmt.Errorf("tally of experiment %q: found side %q, expected client or server", t.Experiment, t.Side)
		}
	}
	return nil
}

// check holds the offset to the readings that it comes from.
func (c *Clock) check() error {
	switch {
	case c.BoundNs < 0:
		return fmt.Errorf("clock.bound_ns: found %d, expected a number from 0", c.BoundNs)
	case (c.Shared || len(c.Readings) == 0) && (c.OffsetNs != 0 || c.BoundNs != 0):
		return fmt.Errorf("clock: found offset_ns %d and bound_ns %d, expected 0 of a shared clock and without readings", c.OffsetNs, c.BoundNs)
	}
	for i, r := range c.Readings {
		if !r.agrees(c) {
			return fmt.Errorf("clock.offset_ns: found %d ± %d, expected what readings[%d] allows: %d ± %d", c.OffsetNs, c.BoundNs, i, r.OffsetNs, r.BoundNs)
		}
	}
	return nil
}

// agrees reports whether the offset of a clock can be that of the reading.
func (r ClockReading) agrees(c *Clock) bool {
	apart := r.OffsetNs - c.OffsetNs
	return r.BoundNs >= 0 && max(apart, -apart) <= r.BoundNs+c.BoundNs
}
