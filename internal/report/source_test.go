package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Both texts are whole in the rows, and only what differs is marked.
func TestAlignSource(t *testing.T) {
	got := AlignSource("a\nb\n\tc\n", "a\nx\n\tc\nd\n")
	want := []SourceRow{{"a", "a", ' '}, {"b", "x", '|'}, {"    c", "    c", ' '}, {"", "d", '>'}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
