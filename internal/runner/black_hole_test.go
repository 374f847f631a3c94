package runner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// A dial that nothing limits lives on: whoever waits for a connection gets
// through on the grid of its first try, not of the one's own.
func TestDialsThatLiveOn(t *testing.T) {
	text := strings.Replace(faultScenario, "connect_ms: 333, sock_connect_ms: 313", "connect_ms: null, sock_connect_ms: null", 1)
	text = strings.Replace(text, "budget_ms: 1030", "budget_ms: 3400", 1)
	for _, opens := range []int{207, 907, 1307} {
		t.Run(fmt.Sprint(opens), func(t *testing.T) {
			s, err := scenario.Parse("walk.yaml", []byte(fmt.Sprintf(text, fmt.Sprintf("black_hole, for_ms: %d", opens))))
			if err != nil {
				t.Fatal(err)
			}
			asComputed(t, s)
		})
	}
}
