package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// Each way in which a scenario cannot be loaded leads on to something else.
func TestScenarioHint(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("mine.yaml", []byte("name: mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	unknown := fmt.Errorf("%w: found", scenario.ErrUnknown)
	for _, c := range []struct {
		err  error
		name string
		want string
	}{
		{errors.New("mine.yaml:1:1: lesson: found nothing"), "mine.yaml", "docs/scenarios.md"},
		{unknown, "mine", "there is a file mine.yaml"},
		{unknown, "slow_hedaers", "`bench list`"},
		{fmt.Errorf("scenario file: %w", fs.ErrNotExist), "other.yaml", "`bench list`"},
	} {
		if got := ScenarioHint(c.err, []string{c.name}); !strings.Contains(got, c.want) {
			t.Errorf("%v of %s: hint %q, expected %q in it", c.err, c.name, got, c.want)
		}
	}
}
