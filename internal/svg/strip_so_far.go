package svg

import (
	"html/template"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

// StripSVG draws the operations of some series of one scenario as dots. The
// axis ends at endMs or later: a strip that is drawn again while it fills keeps
// its axis.
func StripSVG(series []verdict.Series, operations []*timeline.Operation, endMs float64, o SVGOptions) template.HTML {
	s := newStrip(verdict.Group{Series: series}, view.NewArchive(operations), 0)
	s.end = max(s.end, endMs)
	for i, one := range series {
		s.series(i, one)
	}
	return InPage(o.sheet(s.y+8, append(s.frame(), s.content...)...))
}
