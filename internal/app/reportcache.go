package app

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/serve"
	"github.com/deadlinelab/deadlinelab/internal/term"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// reportCache holds the runs of a results directory. Making a report of a whole run
// takes a second or two, so only one is made at a time and the last ones are
// kept.
type reportCache struct {
	root   string
	making chan struct{}

	mu       sync.Mutex
	kept     []madeReport // newest last
	verdicts map[string]listedVerdict
}

type madeReport struct {
	name    string
	changed time.Time // when the run had last been written
	html    []byte
}

// listedVerdict is a run's verdict as of when the run had last been written.
type listedVerdict struct {
	changed time.Time
	text    string
}

const reportsKept = 4

func newReportCache(root string) *reportCache {
	return &reportCache{root: root, making: make(chan struct{}, 1), verdicts: map[string]listedVerdict{}}
}

// List names the runs, the newest first. Without a results directory there are none.
func (s *reportCache) List() ([]serve.Listed, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	var list []serve.Listed
	for _, name := range names {
		if one, ok := s.listed(name); ok {
			list = append(list, one)
		}
	}
	slices.SortStableFunc(list, func(a, b serve.Listed) int { return b.Started.Compare(a.Started) })
	return list, nil
}

// names are the directories directly below the root. What a URL names must be
// one of them, so nothing that it holds becomes part of a path.
func (s *reportCache) names() ([]string, error) {
	entries, err := os.ReadDir(s.root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

func (s *reportCache) listed(name string) (serve.Listed, bool) {
	dir, run, err := s.run(name)
	if err != nil {
		return serve.Listed{}, false // no run, but something else that was put there
	}
	one := serve.Listed{Name: name, Label: run.Label, Status: string(run.Status), Verdict: s.verdict(name, dir, run)}
	one.Started, _ = time.Parse(time.RFC3339Nano, run.Started)
	return one, true
}

func (s *reportCache) run(name string) (*rundir.Dir, rundir.Run, error) {
	dir, err := rundir.Open(filepath.Join(s.root, name))
	if err != nil {
		return nil, rundir.Run{}, err
	}
	run, err := dir.ReadRun()
	return dir, run, err
}

// verdict is what the run's summary says, unless the run is not what it was.
func (s *reportCache) verdict(name string, dir *rundir.Dir, run rundir.Run) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, changed := s.verdicts[name], changedAt(dir.Path())
	if !v.changed.Equal(changed) || changed.IsZero() {
		v = listedVerdict{changed, verdictIn(dir)}
		if !unchanged(dir, run) {
			v.text = string(verdict.Inconclusive)
		}
		s.verdicts[name] = v
	}
	return v.text
}

// unchanged reports whether every file with evidence is what it was.
func unchanged(dir *rundir.Dir, run rundir.Run) bool {
	for _, then := range run.Evidence {
		if now, err := analysis.EvidenceIn(dir, then.File); err != nil || now != then {
			return false
		}
	}
	return true
}

func verdictIn(dir *rundir.Dir) string {
	data, err := dir.ReadFile(rundir.SummaryFile)
	if err != nil {
		return ""
	}
	summary, err := verdict.ParseSummary(dir.Join(rundir.SummaryFile), data)
	if err != nil {
		return ""
	}
	return string(summary.Verdict)
}

// HTML is the report of a run, made from its logs.
func (s *reportCache) HTML(ctx context.Context, name string) ([]byte, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	if !slices.Contains(names, name) {
		return nil, serve.ErrNoRun
	}
	if _, _, err := s.run(name); err != nil {
		return nil, serve.ErrNoRun // as List, which does not name it
	}
	select {
	case s.making <- struct{}{}:
		defer func() { <-s.making }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	changed := changedAt(filepath.Join(s.root, name))
	if html := s.find(name, changed); html != nil {
		return html, nil
	}
	html, err := makeHTML(filepath.Join(s.root, name))
	if err == nil {
		s.keep(madeReport{name, changed, html})
	}
	return html, err
}

func makeHTML(path string) ([]byte, error) {
	a, err := analysis.Open(path)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := a.WriteReport(&b, "html", term.Options{}); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// changedAt is when a file of the run was last written: a run that still goes
// on writes its logs all the time.
func changedAt(path string) time.Time {
	entries, err := os.ReadDir(path)
	if err != nil {
		return time.Time{}
	}
	var last time.Time
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

func (s *reportCache) find(name string, changed time.Time) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, made := range s.kept {
		if made.name == name && made.changed.Equal(changed) {
			return made.html
		}
	}
	return nil
}

func (s *reportCache) keep(made madeReport) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, made)
	if len(s.kept) > reportsKept {
		s.kept = s.kept[1:]
	}
}
