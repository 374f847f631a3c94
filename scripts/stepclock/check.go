package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"
)

// check fails unless the dates of a run are as far apart as it took, and no
// operation and no log is longer than that: any wall clock in them would add
// hours.
func check(dir string) error {
	var run struct {
		Started     time.Time `json:"started"`
		Finished    time.Time `json:"finished"`
		WallSeconds float64   `json:"wall_seconds"`
	}
	data, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err == nil {
		err = json.Unmarshal(data, &run)
	}
	if err != nil {
		return err
	}
	took := time.Duration(math.Round(run.WallSeconds * 1e9))
	if dates := run.Finished.Sub(run.Started); dates != took || took <= 0 {
		return fmt.Errorf("%s: from %s to %s are %s, wall_seconds says %s", dir, run.Started, run.Finished, dates, took)
	}
	operations, err := operationsWithin(filepath.Join(dir, "operations.jsonl"), took)
	err = errors.Join(err, logWithin(filepath.Join(dir, "client.jsonl"), took), logWithin(filepath.Join(dir, "server.jsonl"), took))
	switch {
	case err != nil:
		return err
	case operations == 0:
		return fmt.Errorf("%s: operations.jsonl holds no operation", dir)
	}
	fmt.Printf("ok: %d operations within the %s of the run\n", operations, took.Round(time.Millisecond))
	return nil
}

// operationsWithin counts the operations; none lasts longer than the run.
func operationsWithin(file string, took time.Duration) (n int, err error) {
	err = eachLine(file, func(o line) error {
		if o.Op == "" { // the head of the file
			return nil
		}
		if n++; o.DurationMs < 0 || o.DurationMs > float64(took)/1e6 {
			return fmt.Errorf("%s: operation %s took %g ms in a run of %s", file, o.Op, o.DurationMs, took)
		}
		return nil
	})
	return n, err
}

// logWithin looks at the times of a log, of which none is before its first.
// Starting the run's parts and reading the logs back take a while beside it.
func logWithin(file string, took time.Duration) error {
	var first int64
	return eachLine(file, func(e line) error {
		if first == 0 {
			first = e.TNs
		}
		if after := time.Duration(e.TNs - first); after < -took || after > took+time.Minute {
			return fmt.Errorf("%s: event %d is %s after the first one in a run of %s", file, e.Seq, after, took)
		}
		return nil
	})
}

// line is what is looked at in a line of a log or of operations.jsonl.
type line struct {
	Seq        int     `json:"seq"`
	TNs        int64   `json:"t_ns"`
	Op         string  `json:"op"`
	DurationMs float64 `json:"duration_ms"`
}

func eachLine(file string, look func(line) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 16<<20)
	for s.Scan() {
		var l line
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := look(l); err != nil {
			return err
		}
	}
	return s.Err()
}
