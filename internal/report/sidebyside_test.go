package report

import (
	"bytes"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fixture"
)

const before = `func before() {
	acquire()
	deadline := start.Add(budget)
	try()
}
`
const after = `func after() {
	deadline := now.Add(budget)
	acquire()
	try()
}
`

// Two variants on a slide: what they share is aligned, what differs is marked.
func TestSideBySide(t *testing.T) {
	var b bytes.Buffer
	if err := SideBySide(&b, "D", before, "C", after, 83); err != nil {
		t.Fatal(err)
	}
	fixture.Golden(t, "side_by_side.golden", b.Bytes())
}

func TestSideBySideNarrow(t *testing.T) {
	var b bytes.Buffer
	if err := SideBySide(&b, "D", before, "C", after, 60); err != nil {
		t.Fatal(err)
	}
	fixture.Golden(t, "one_above_the_other.golden", b.Bytes())
}

// Every line of both texts is on the page, in order, whatever the texts are.
func FuzzAlign(f *testing.F) {
	f.Add("a\nb\nc", "b\nx\nc")
	f.Fuzz(func(t *testing.T, left, right string) {
		if len(left)+len(right) > 2000 {
			return
		}
		a, b := sourceLines(left), sourceLines(right)
		i, j := 0, 0
		for _, r := range align(a, b) {
			if r.mark != '>' {
				if r.left != a[i] {
					t.Fatalf("left line %d is %q, want %q", i, r.left, a[i])
				}
				i++
			}
			if r.mark != '<' {
				if r.right != b[j] {
					t.Fatalf("right line %d is %q, want %q", j, r.right, b[j])
				}
				j++
			}
			if same := r.left == r.right; same != (r.mark == ' ') && r.mark != '|' && !(same && r.left == "") {
				t.Fatalf("row %+v is marked wrongly", r)
			}
		}
		if i != len(a) || j != len(b) {
			t.Fatalf("%d of %d and %d of %d lines printed", i, len(a), j, len(b))
		}
	})
}
