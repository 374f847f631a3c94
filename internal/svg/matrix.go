package svg

import (
	"fmt"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// matrixMeasures of the matrix in pixels: with many clients, cells that hold
// the median alone under names that stand upright.
type matrixMeasures struct {
	left, top     float64
	width, height float64 // of a cell
	rung, bottom  float64 // heights of a rung's heading and of the legend
	narrow        bool
	hatched       bool // some cells are not applicable
	unsure        bool // of some nobody can tell
}

var (
	matrixRoomy  = matrixMeasures{left: 210, top: 62, width: 150, height: 62, rung: 34, bottom: 40}
	matrixNarrow = matrixMeasures{left: 230, width: 66, height: 34, rung: 30, bottom: 40, narrow: true}
)

func measuresOf(m view.Matrix) matrixMeasures {
	if !m.Wide() {
		return matrixRoomy
	}
	size := matrixNarrow
	for _, c := range m.Columns {
		size.top = max(size.top, textWidth(c.Name())*boldWidth+24)
	}
	return size
}

// boldWidth is how much wider bold letters are.
const boldWidth = 1.15

// MatrixDrawing is the matrix for a slide: the shapes stand for the promise,
// the sign in the corner for the verdict.
func MatrixDrawing(m view.Matrix, o SVGOptions) *Element {
	size := measuresOf(m)
	size.hatched = slices.ContainsFunc(m.Columns, func(c *view.Column) bool { return c.NotApplicable > 0 })
	size.unsure = m.Unsure()
	o.Width = max(size.left+float64(len(m.Columns))*size.width, 780)
	content := size.heads(m)
	y := size.top
	for _, rung := range m.Rungs() {
		if rung.Name != "" {
			content = append(content, textAt(14, y+size.rung-10, "strong", rung.Heading()), lineAt("grid", 0, y+size.rung-3, o.Width, y+size.rung-3))
			y += size.rung
		}
		for _, row := range rung.Rows {
			content = append(content, size.row(row, y)...)
			y += size.height
		}
	}
	content = append(content, size.legend(y+26)...)
	for _, text := range m.Nets() {
		content = append(content, textAt(14, y+48, "quiet", text))
		y += 20
	}
	for _, text := range m.Wrong {
		content = append(content, textAt(14, y+48, "strong", textui.Cut("The run is not what it was: "+text, int(o.Width/letterWidth), "…")))
		y += 20
	}
	return o.sheet(y+size.bottom, content...)
}

func (size matrixMeasures) heads(m view.Matrix) []*Element {
	var content []*Element
	for i, c := range m.Columns {
		x := size.left + (float64(i)+0.5)*size.width
		if size.narrow {
			content = append(content, textAt(0, 0, "strong", c.Name()).Set("transform", fmt.Sprintf("translate(%s %s) rotate(-90)", Number(x+5), Number(size.top-10))))
			continue
		}
		content = append(content, textAt(x, 28, headClass(c), c.Label))
		if c.Label != c.Variant {
			content = append(content, textAt(x, 48, "quiet small middle", c.Variant))
		} else if made := c.Client.Named(); made != "" {
			content = append(content, textAt(x, 48, "quiet small middle", textui.Cut(made, int(size.width/letterWidth), "…")).Titled(c.Client.OneLine()))
		}
	}
	return content
}

// headClass keeps a long name within its column.
func headClass(c *view.Column) string {
	if textui.Width(c.Label) > 12 {
		return "strong middle"
	}
	return "big middle"
}

func (size matrixMeasures) row(row view.Row, y float64) []*Element {
	content := []*Element{textAt(size.left-14, y+size.height/2+5, "strong end", row.Scenario)}
	for i, c := range row.Cells {
		if c != nil {
			content = append(content, size.cell(c, size.left+float64(i)*size.width, y))
		}
	}
	return content
}

func (size matrixMeasures) cell(c *view.Cell, x, y float64) *Element {
	on := "middle on-" + c.Dress.Class
	if c.Series.NotApplicable != "" {
		return New("g", "class", "cell na").Titled(view.CellTitle(c)).Add(rectAt(x+2, y+2, size.width-4, size.height-4).Set("rx", 5, "class", "promise-na"),
			New("path", "class", "texture hatch", "d", hatch(x+2, y+2, size.width-4, size.height-4)), textAt(x+size.width/2, y+size.height/2+5, on+" halo", wording.NotApplicableWord))
	}
	group := New("g", "class", "cell").Titled(view.CellTitle(c)).Add(rectAt(x+2, y+2, size.width-4, size.height-4).Set("rx", 5, "class", "promise-"+c.Dress.Class))
	if size.narrow {
		return group.Add(textAt(x+size.width/2, y+22, on, c.Signed()))
	}
	note := c.Note
	if c.Mix != "" {
		note += " *"
	}
	return group.Add(textAt(x+size.width/2, y+28, "big "+on, c.Dress.Glyph+" "+c.Median), textAt(x+size.width/2, y+48, on, note), textAt(x+size.width-12, y+18, on, c.Verdict.Sign))
}

// legend explains shapes and signs.
func (size matrixMeasures) legend(y float64) []*Element {
	text := "median in ms;"
	for _, p := range []string{"kept", "failed_in_time", "late", "unbounded", "cancelled"} {
		text += "  " + wording.DressOf(p).Glyph + " " + wording.DressOf(p).Word
	}
	if size.unsure {
		text += "  " + wording.DressOf(string(wording.Unsure)).Glyph + " " + wording.DressOf(string(wording.Unsure)).Word
	}
	if size.hatched {
		text += "  n/a not applicable"
	}
	if size.narrow {
		return []*Element{textAt(14, y, "quiet", text+";  ✗ not as expected  ? inconclusive  * not every operation")}
	}
	return []*Element{textAt(14, y, "quiet", text+";  ✓ as expected  ✗ not  ? inconclusive")}
}
