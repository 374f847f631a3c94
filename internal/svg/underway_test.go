package svg

import (
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// A chart of what is not over yet keeps the axis that it was given, and says
// so instead of a promise.
func TestUnderWay(t *testing.T) {
	c := chart.NewDetailedChart([]chart.Subject{{Operation: &timeline.Operation{Op: "x", Label: "D", Variant: "d", BudgetMs: 1000, DurationMs: 12}}})
	c.Blocks[0].Promise = chart.UnderWay
	c.SetEnd(1080)
	if c.EndMs != 1080 || c.Ticks[len(c.Ticks)-1] != 1000 {
		t.Errorf("the axis ends at %v with ticks %v, expected 1080 and a last tick of 1000", c.EndMs, c.Ticks)
	}
	drawing := string(TimelineSVG(c, SVGOptions{}))
	if !strings.Contains(drawing, "under way") || !strings.Contains(drawing, "deadline: 1000 ms") {
		t.Errorf("the drawing lacks its deadline or does not say that it goes on: %s", drawing)
	}
}
