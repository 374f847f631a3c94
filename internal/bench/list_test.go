package bench

import "testing"

func TestTable(t *testing.T) {
	rows := [][]string{{"NAME", "WHAT"}, {"näme", "one two three four"}, {"", "x"}}
	for width, want := range map[int]string{
		0:  "NAME  WHAT\nnäme  one two three four\n      x\n",
		14: "NAME  WHAT\nnäme  one two\n      three\n      four\n      x\n",
		3:  "NAME  WHAT\nnäme  one\n      two\n      three\n      four\n      x\n",
	} {
		if got := table(rows, width); got != want {
			t.Errorf("width %d\n%s\nexpected\n%s", width, got, want)
		}
	}
}
