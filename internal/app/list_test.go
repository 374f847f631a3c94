package app

import (
	"github.com/deadlinelab/deadlinelab/internal/console"
	"testing"
)

// The last column is wrapped beside the others, and below them where there is
// no room.
func TestTable(t *testing.T) {
	rows := [][]string{{"NAME", "WHAT"}, {"näme", "one two three four five"}, {"", "x"}}
	for width, want := range map[int]string{
		0:  "NAME  WHAT\nnäme  one two three four five\n      x\n",
		26: "NAME  WHAT\nnäme  one two three four\n      five\n      x\n",
		25: "NAME\n  WHAT\nnäme\n  one two three four five\n  x\n",
		14: "NAME\n  WHAT\nnäme\n  one two\n  three four\n  five\n  x\n",
	} {
		if got := console.Table(rows, width); got != want {
			t.Errorf("width %d\n%s\nexpected\n%s", width, got, want)
		}
	}
}
