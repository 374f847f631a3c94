package rundir

import (
	"io"
	"os"
	"testing"
)

// While a file is written, new or in the place of another, nothing of it is in
// the directory that a kill would leave there.
func TestWhatIsBeingWrittenHasNoName(t *testing.T) {
	d := create(t, t.TempDir(), "core", "")
	if !writeUnnamed(d.Join("probe"), func(io.Writer) error { return nil }) {
		if os.Getenv("CI") != "" {
			t.Fatal("this file system has no unnamed files; CI needs one that has them")
		}
		t.Skip("this file system has no unnamed files")
	}
	for _, want := range []int{1, 2} { // the probe, then run.json too
		err := d.WriteFile(RunFile, func(w io.Writer) error {
			entries, err := os.ReadDir(d.Path())
			if len(entries) != want {
				t.Errorf("%d files, expected %d: %v", len(entries), want, entries)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if entries, err := os.ReadDir(d.Path()); len(entries) != 2 || err != nil {
		t.Errorf("%v, %v", entries, err)
	}
}
