package report

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/svg"
)

// The measures of the matrix in pixels.
const (
	matrixLeft   = 210
	matrixTop    = 62
	cellWidth    = 150
	cellHeight   = 62
	matrixBottom = 40 // the legend
)

// matrixDrawing is the matrix for a slide: the shapes stand for the promise,
// the sign in the corner for the verdict.
func matrixDrawing(m matrix, o SVGOptions) *svg.Element {
	o.Width = max(matrixLeft+float64(len(m.Columns))*cellWidth, 780)
	var content []*svg.Element
	for i, c := range m.Columns {
		x := matrixLeft + (float64(i)+0.5)*cellWidth
		content = append(content, textAt(x, 28, "big middle", c.Label))
		if c.Label != c.Variant {
			content = append(content, textAt(x, 48, "quiet small middle", c.Variant))
		}
	}
	for r, row := range m.Rows {
		y := matrixTop + float64(r)*cellHeight
		content = append(content, textAt(matrixLeft-14, y+cellHeight/2+5, "strong end", row.Scenario))
		for i, c := range row.Cells {
			content = append(content, cellDrawing(c, matrixLeft+float64(i)*cellWidth, y))
		}
	}
	bottom := matrixTop + float64(len(m.Rows))*cellHeight
	return o.sheet(bottom+matrixBottom, append(content, matrixLegend(bottom+26)...)...)
}

func cellDrawing(c *matrixCell, x, y float64) *svg.Element {
	if c == nil {
		return nil
	}
	on := "middle on-" + c.Dress.Class
	note := c.Note
	if c.Mix != "" {
		note += " *"
	}
	group := svg.New("g", "class", "cell").Titled(cellTitle(c))
	return group.Add(rectAt(x+2, y+2, cellWidth-4, cellHeight-4).Set("rx", 5, "class", "promise-"+c.Dress.Class),
		textAt(x+cellWidth/2, y+28, "big "+on, c.Dress.Glyph+" "+c.Median), textAt(x+cellWidth/2, y+48, on, note), textAt(x+cellWidth-12, y+18, on, c.Verdict.Sign))
}

// cellTitle is a cell in words.
func cellTitle(c *matrixCell) string {
	text := fmt.Sprintf("%s, %s: %s, median %s ms of %g; verdict %s", c.Series.Scenario, fullName(c.Series.Label, c.Series.Variant), c.Note, c.Median, c.Series.BudgetMs, c.Series.Verdict)
	if c.Mix != "" {
		text += "; also " + c.Mix
	}
	return plain(text)
}

// matrixLegend explains shapes and signs.
func matrixLegend(y float64) []*svg.Element {
	text := "median in ms;"
	for _, p := range []string{"kept", "failed_in_time", "late", "unbounded", "cancelled"} {
		text += "  " + dressOf(p).Glyph + " " + dressOf(p).Word
	}
	return []*svg.Element{textAt(14, y, "quiet", text+";  ✓ as expected  ✗ not  ? inconclusive")}
}
