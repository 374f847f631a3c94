package predict

import (
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Every line of every shipped scenario fits, with every variant, and none is
// broken where it would fit whole.
func TestPlanFitsItsColumns(t *testing.T) {
	for _, s := range shipped(t) {
		for _, v := range variants.All() {
			var text strings.Builder
			c := Compute(s, v)
			c.Write(&text)
			for line := range strings.Lines(text.String()) {
				if line = strings.TrimSuffix(line, "\n"); columns(line) > planColumns {
					t.Errorf("%s: %d columns:\n%s", s.Name, columns(line), line)
				}
			}
			if path := "    path:  " + c.pathText(); c.NotComputed == "" && columns(path) <= planColumns && !strings.Contains(text.String(), path+"\n") {
				t.Errorf("%s: the path is broken though it fits:\n%s", s.Name, text.String())
			}
		}
	}
}

func TestHang(t *testing.T) {
	long := strings.Repeat("x", 60)
	for _, c := range []struct{ head, text, sep, want string }{
		{"a: ", "1 + 2", plus, "a: 1 + 2\n"},
		{"a: ", "", plus, "a: \n"},
		{"a: ", long + " + " + long + " + 3", plus, "a: " + long + "\n   + " + long + " + 3\n"},
		{"a: ", long + " " + long, " ", "a: " + long + "\n   " + long + "\n"},
		{"a: ", long + long, " ", "a: " + long + long + "\n"}, // a word that is longer than a line stays whole
		{"é: ", strings.Repeat("y", 94) + " …", " ", "é: " + strings.Repeat("y", 94) + "\n   …\n"},
	} {
		var got strings.Builder
		if Hang(&got, c.head, c.text, c.sep); got.String() != c.want {
			t.Errorf("%q behind %q: %q, want %q", c.text, c.head, got.String(), c.want)
		}
	}
}
