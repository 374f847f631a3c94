package svg

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fixture"
)

func TestUnsureDot(t *testing.T) {
	if class := dotClass(fixture.TooLong()); class == "dots promise-kept" {
		t.Errorf("class %q", class)
	}
}
