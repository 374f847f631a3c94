package rundir

import (
	"fmt"
	"io"
	"os"
	"testing"
)

// A packed directory stays packed, and reads back what was written.
func TestRecordsStayPacked(t *testing.T) {
	d := create(t, t.TempDir(), "core", "")
	text := func(n int) func(io.Writer) error {
		return func(w io.Writer) error { _, err := fmt.Fprintf(w, "{\"n\":%d}\n", n); return err }
	}
	if d.Has(OperationsFile) {
		t.Fatal("a new directory has operations")
	}
	if err := d.WriteFile(OperationsFile+".gz", func(w io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	for n, want := range []string{"{\"n\":0}\n", "{\"n\":1}\n"} {
		if err := d.WriteRecords(OperationsFile, text(n)); err != nil {
			t.Fatal(err)
		}
		if got := readLog(t, d, OperationsFile); got != want {
			t.Errorf("read %q; want %q", got, want)
		}
	}
	if _, err := os.Stat(d.Join(OperationsFile)); err == nil {
		t.Error("an unpacked file stands beside the packed one")
	}
}

// A plain file is written plain, and wins over a packed one.
func TestRecordsPlain(t *testing.T) {
	d := create(t, t.TempDir(), "core", "")
	if err := d.WriteRecords(OperationsFile, func(w io.Writer) error { _, err := io.WriteString(w, "x\n"); return err }); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(d.Join(OperationsFile)); err != nil || string(got) != "x\n" {
		t.Errorf("read %q, %v", got, err)
	}
}
