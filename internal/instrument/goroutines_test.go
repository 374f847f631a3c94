package instrument

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A profile as text, as this version of Go writes it.
func TestCountByLabel(t *testing.T) {
	got := countByLabel([]byte(`goroutine profile: total 9
2 @ 0x1 0x2
# labels: {"deadlinelab":"a"}
#	0x1	main.f+0x1	f.go:1

3 @ 0x1 0x3
# labels: {"deadlinelab":"b", "other":"x"}
#	0x1	main.f+0x1	f.go:1

1 @ 0x1 0x4
# labels: {"deadlinelab":"a"}

1 @ 0x1 0x5
# labels: {"other":"a"}

2 @ 0x1
#	0x1	main.g+0x1	g.go:1
`))
	if diff := cmp.Diff(map[string]int{"a": 3, "b": 3}, got); diff != "" {
		t.Error(diff)
	}
}
