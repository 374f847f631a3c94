package report

import (
	"html/template"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// StripSVG draws the operations of some series of one scenario as dots. The
// axis ends at endMs or later: a strip that is drawn again while it fills keeps
// its axis.
func StripSVG(series []Series, operations []*timeline.Operation, endMs float64, o SVGOptions) template.HTML {
	s := newStrip(group{series: series}, newArchive(operations), 0)
	s.end = max(s.end, endMs)
	for i, one := range series {
		s.series(i, one)
	}
	return inPage(o.sheet(s.y+8, append(s.frame(), s.content...)...))
}
