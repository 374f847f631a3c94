package svg

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/chart"
)

// A moment stands where the axis says: the numbers of the axis and the bars
// use one scale.
func TestTimelineIsToScale(t *testing.T) {
	p := &timelinePlot{chart: chart.Chart{EndMs: 2000}, options: SVGOptions{Width: 1000}}
	if p.x(0) != plotLeft || p.x(2000) != 1000-plotRight {
		t.Errorf("the axis reaches from %g to %g", p.x(0), p.x(2000))
	}
	if middle := (p.x(0) + p.x(2000)) / 2; p.x(1000) != middle {
		t.Errorf("1000 of 2000 ms is at %g, the middle at %g", p.x(1000), middle)
	}
}
