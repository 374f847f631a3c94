package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/serve"
)

// results is a directory with one run, one link to it, a file and a directory
// that is no run, beside a run that must not be reached.
func results(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	root := filepath.Join(top, "results")
	for _, dir := range []string{filepath.Join(root, "20260101T000000Z-core"), filepath.Join(root, "notes"), filepath.Join(top, "secret")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	run := []byte(`{"schema":"deadlinelab/run","schema_version":"1.0.0","status":"running","label":"core","started":"2026-01-01T00:00:00Z"}`)
	for _, file := range []string{filepath.Join(root, "20260101T000000Z-core", "run.json"), filepath.Join(top, "secret", "run.json"), filepath.Join(root, "README.md")} {
		if err := os.WriteFile(file, run, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("20260101T000000Z-core", filepath.Join(root, "latest")); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestShelfLists(t *testing.T) {
	list, err := newReportCache(results(t)).List()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || list[0].Name != "20260101T000000Z-core" || list[0].Status != "running" || list[0].Verdict != "" || list[0].Started.Year() != 2026 {
		t.Errorf("got %+v, expected the one run", list)
	}
	if list, err := newReportCache(filepath.Join(t.TempDir(), "none")).List(); err != nil || len(list) != 0 {
		t.Errorf("without a results directory: %+v, %v", list, err)
	}
}

// Only a run that stands right in the results directory can be opened; another
// directory beside it, as notes, is not found.
func TestShelfRefuses(t *testing.T) {
	s := newReportCache(results(t))
	for _, name := range []string{"", ".", "..", "../secret", "/etc", "none", "latest", "README.md", "notes", "20260101T000000Z-core/../../secret", "20260101T000000Z-core/"} {
		if _, err := s.HTML(context.Background(), name); !errors.Is(err, serve.ErrNoRun) {
			t.Errorf("%q: error %v, expected %v", name, err, serve.ErrNoRun)
		}
	}
}

// The report last made of a run is kept until the run changes.
func TestShelfKeeps(t *testing.T) {
	root := results(t)
	s, path := newReportCache(root), filepath.Join(root, "20260101T000000Z-core")
	s.keep(madeReport{"20260101T000000Z-core", changedAt(path), []byte("kept")})
	if html, err := s.HTML(context.Background(), "20260101T000000Z-core"); err != nil || string(html) != "kept" {
		t.Errorf("got %q, %v: expected the one that was kept", html, err)
	}
	later := changedAt(path).Add(1e9)
	if err := os.Chtimes(filepath.Join(path, "run.json"), later, later); err != nil {
		t.Fatal(err)
	}
	if html, err := s.HTML(context.Background(), "20260101T000000Z-core"); err == nil {
		t.Errorf("after the run had changed: got %q, expected an error, for its plan is missing", html)
	}
	for i := range 2 * reportsKept {
		s.keep(madeReport{name: string(rune('a' + i))})
	}
	if len(s.kept) != reportsKept {
		t.Errorf("%d reports are kept, expected %d", len(s.kept), reportsKept)
	}
}
