package rundir

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 4, 13, 5, 6, 0, time.FixedZone("CET", 3600))

func create(t *testing.T, root, label, out string) *Dir {
	t.Helper()
	d, err := Create(root, label, out, noon)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v: want %q in it", err, part)
		}
	}
}

func TestRunsAreNamedByTimeAndLabel(t *testing.T) {
	root := filepath.Join(t.TempDir(), "results")
	for _, c := range []struct{ label, want string }{
		{"core", "20260304T120506Z-core"},
		{"core", "20260304T120506Z-core-2"},
		{"core", "20260304T120506Z-core-3"},
		{"../a b/ü.yaml", "20260304T120506Z-..-a-b--.yaml"},
		{"", "20260304T120506Z-run"},
		{strings.Repeat("x", 500), "20260304T120506Z-" + strings.Repeat("x", longestLabel)},
	} {
		d := create(t, root, c.label, "")
		if info, err := os.Stat(d.Path()); d.Path() != filepath.Join(root, c.want) || err != nil || !info.IsDir() {
			t.Errorf("%q: %s, %v", c.label, d.Path(), err)
		}
	}
}

func TestOutIsTakenAsItIs(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a", "b")
	if d := create(t, "results", "core", out); d.Path() != out || d.Join("x") != filepath.Join(out, "x") {
		t.Errorf("%+v", d)
	}
	if held, _ := os.ReadDir(out); len(held) != 1 || held[0].Name() != ClientLog {
		t.Errorf("it holds %v", held)
	}
}

// A run that did not begin leaves the directory as it found it.
func TestOutIsGivenBack(t *testing.T) {
	out := t.TempDir()
	for range 2 {
		create(t, "results", "core", out).GiveBack()
	}
	if held, err := os.ReadDir(out); len(held) != 0 || err != nil {
		t.Errorf("it holds %v, %v", held, err)
	}
}

// Of runs that are given one directory at the same time, one gets it: two would
// mix up their logs.
func TestOutGoesToOneRun(t *testing.T) {
	out := t.TempDir()
	var all sync.WaitGroup
	errs := make(chan error, 20)
	for range cap(errs) {
		all.Go(func() {
			_, err := Create("results", "core", out, noon)
			errs <- err
		})
	}
	all.Wait()
	close(errs)
	var got int
	for err := range errs {
		if err == nil {
			got++
			continue
		}
		wantError(t, err, out, "expected a new or an empty directory")
	}
	if got != 1 {
		t.Errorf("%d runs got the directory", got)
	}
}

// A directory that was empty when it was looked at may be so no more.
func TestClaimedOnce(t *testing.T) {
	out := t.TempDir()
	if err := claim(out); err != nil {
		t.Fatal(err)
	}
	wantError(t, claim(out), out, "taken by another run")
}

func TestCreateRefusesWhatItCannotUse(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Create("results", "core", dir, noon)
	wantError(t, err, dir, "holds 1 files already (file)", "expected a new or an empty directory")
	for _, out := range []string{file, filepath.Join(file, "below")} {
		_, err = Create("results", "core", out, noon)
		wantError(t, err, out, "cannot be made")
	}
	_, err = Create(filepath.Join(file, "results"), "core", "", noon)
	wantError(t, err, "cannot be made for results")
}

// Nobody makes a directory in sysfs, root included: what the test below skips as
// root is seen there all the same.
func TestCreateRefusesAPlaceClosedToRoot(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("sysfs is Linux's")
	}
	_, err := Create("/sys", "core", "", noon)
	wantError(t, err, "/sys", "cannot be made")
}

func TestCreateRefusesAReadOnlyPlace(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("this user may write everywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	_, err := Create("results", "core", dir, noon)
	wantError(t, err, dir, "is not writable")
	_, err = Create(dir, "core", "", noon)
	wantError(t, err, dir, "cannot be made")
}

func TestOpenWantsARunDirectory(t *testing.T) {
	d := create(t, t.TempDir(), "core", "")
	_, err := Open(filepath.Join(d.Path(), "nowhere"))
	wantError(t, err, "nowhere does not exist", "expected a run directory")
	_, err = Open(d.Path())
	wantError(t, err, d.Path(), "holds no run.json")
	if err := d.WriteRun(Run{Status: Running}); err != nil {
		t.Fatal(err)
	}
	_, err = Open(d.Join(RunFile))
	wantError(t, err, "is a file, expected a run directory such as "+d.Path())
	if again, err := Open(d.Path()); err != nil || again.Path() != d.Path() {
		t.Error(err)
	}
}

func latest(t *testing.T, root string) string {
	t.Helper()
	target, err := os.Readlink(filepath.Join(root, Latest))
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func TestLatestMovesAtCompletion(t *testing.T) {
	root := t.TempDir()
	first, second := create(t, root, "a", ""), create(t, root, "b", "")
	for _, d := range []*Dir{first, second} {
		if err := d.WriteRun(Run{Status: Complete}); err != nil {
			t.Fatal(err)
		}
		if err := d.Complete(); err != nil {
			t.Fatal(err)
		}
		if got := latest(t, root); got != filepath.Base(d.Path()) {
			t.Errorf("latest is %s, want %s", got, d.Path())
		}
	}
	if _, err := Open(filepath.Join(root, Latest)); err != nil {
		t.Errorf("through the link: %v", err)
	}
	if entries, _ := os.ReadDir(root); len(entries) != 3 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestLatestKnowsRunsBelowTheRootOnly(t *testing.T) {
	root := t.TempDir()
	below := create(t, root, "", filepath.Join(root, "mine", "first"))
	if err := below.Complete(); err != nil || latest(t, root) != filepath.Join("mine", "first") {
		t.Error(err)
	}
	opened := &Dir{path: root}
	for _, d := range []*Dir{create(t, root, "", t.TempDir()), opened, {path: root, root: root}} {
		if err := d.Complete(); err != nil || latest(t, root) != filepath.Join("mine", "first") {
			t.Errorf("%+v: %v", d, err)
		}
	}
}

func TestLatestReplacesNothingButALink(t *testing.T) {
	root := t.TempDir()
	precious := filepath.Join(root, Latest)
	if err := os.WriteFile(precious, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantError(t, create(t, root, "a", "").Complete(), precious+" is no link")
	if kept, _ := os.ReadFile(precious); string(kept) != "precious" {
		t.Error("overwritten")
	}
}
