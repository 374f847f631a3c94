package report

import (
	"fmt"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/svg"
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

func measuresOf(m matrix) matrixMeasures {
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

// matrixDrawing is the matrix for a slide: the shapes stand for the promise,
// the sign in the corner for the verdict.
func matrixDrawing(m matrix, o SVGOptions) *svg.Element {
	size := measuresOf(m)
	size.hatched = slices.ContainsFunc(m.Columns, func(c *matrixColumn) bool { return c.NotApplicable > 0 })
	size.unsure = m.unsure()
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
	for _, text := range m.nets() {
		content = append(content, textAt(14, y+48, "quiet", text))
		y += 20
	}
	for _, text := range m.Wrong {
		content = append(content, textAt(14, y+48, "strong", cut("The run is not what it was: "+text, int(o.Width/letterWidth), unicodeGlyphs)))
		y += 20
	}
	return o.sheet(y+size.bottom, content...)
}

// nets say of each client that is a process per operation what its medians are
// net of.
func (m matrix) nets() (list []string) {
	for _, row := range m.Rows {
		for _, c := range row.Cells {
			if c == nil || c.Series.NetOf == "" {
				continue
			}
			if text := c.Series.Label + ": " + c.Series.NetOf; !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}

func (size matrixMeasures) heads(m matrix) []*svg.Element {
	var content []*svg.Element
	for i, c := range m.Columns {
		x := size.left + (float64(i)+0.5)*size.width
		if size.narrow {
			content = append(content, textAt(0, 0, "strong", c.Name()).Set("transform", fmt.Sprintf("translate(%s %s) rotate(-90)", svg.Number(x+5), svg.Number(size.top-10))))
			continue
		}
		content = append(content, textAt(x, 28, headClass(c), c.Label))
		if c.Label != c.Variant {
			content = append(content, textAt(x, 48, "quiet small middle", c.Variant))
		} else if made := c.Client.Named(); made != "" {
			content = append(content, textAt(x, 48, "quiet small middle", cut(made, int(size.width/letterWidth), unicodeGlyphs)).Titled(c.Client.oneLine()))
		}
	}
	return content
}

// headClass keeps a long name within its column.
func headClass(c *matrixColumn) string {
	if runeLen(c.Label) > 12 {
		return "strong middle"
	}
	return "big middle"
}

func (size matrixMeasures) row(row matrixRow, y float64) []*svg.Element {
	content := []*svg.Element{textAt(size.left-14, y+size.height/2+5, "strong end", row.Scenario)}
	for i, c := range row.Cells {
		if c != nil {
			content = append(content, size.cell(c, size.left+float64(i)*size.width, y))
		}
	}
	return content
}

func (size matrixMeasures) cell(c *matrixCell, x, y float64) *svg.Element {
	on := "middle on-" + c.Dress.Class
	if c.Series.NotApplicable != "" {
		return svg.New("g", "class", "cell na").Titled(cellTitle(c)).Add(rectAt(x+2, y+2, size.width-4, size.height-4).Set("rx", 5, "class", "promise-na"),
			svg.New("path", "class", "texture hatch", "d", hatch(x+2, y+2, size.width-4, size.height-4)), textAt(x+size.width/2, y+size.height/2+5, on+" halo", notApplicableWord))
	}
	group := svg.New("g", "class", "cell").Titled(cellTitle(c)).Add(rectAt(x+2, y+2, size.width-4, size.height-4).Set("rx", 5, "class", "promise-"+c.Dress.Class))
	if size.narrow {
		return group.Add(textAt(x+size.width/2, y+22, on, c.signed()))
	}
	note := c.Note
	if c.Mix != "" {
		note += " *"
	}
	return group.Add(textAt(x+size.width/2, y+28, "big "+on, c.Dress.Glyph+" "+c.Median), textAt(x+size.width/2, y+48, on, note), textAt(x+size.width-12, y+18, on, c.Verdict.Sign))
}

// cellTitle is a cell in words.
func cellTitle(c *matrixCell) string {
	if c.Series.NotApplicable != "" {
		return plain(fmt.Sprintf("%s, %s: not applicable: %s", c.Series.Scenario, fullName(c.Series.Label, c.Series.Variant), c.Series.NotApplicable))
	}
	text := fmt.Sprintf("%s, %s: %s, median %s ms of %g; verdict %s", c.Series.Scenario, fullName(c.Series.Label, c.Series.Variant), c.Note, c.Median, c.Series.BudgetMs, c.Series.Verdict)
	if c.Mix != "" {
		text += "; also " + c.Mix
	}
	if net := c.Series.NetOf; net != "" {
		text += "; " + net
	}
	return plain(text)
}

// legend explains shapes and signs.
func (size matrixMeasures) legend(y float64) []*svg.Element {
	text := "median in ms;"
	for _, p := range []string{"kept", "failed_in_time", "late", "unbounded", "cancelled"} {
		text += "  " + dressOf(p).Glyph + " " + dressOf(p).Word
	}
	if size.unsure {
		text += "  " + dressOf(string(unsure)).Glyph + " " + dressOf(string(unsure)).Word
	}
	if size.hatched {
		text += "  n/a not applicable"
	}
	if size.narrow {
		return []*svg.Element{textAt(14, y, "quiet", text+";  ✗ not as expected  ? inconclusive  * not every operation")}
	}
	return []*svg.Element{textAt(14, y, "quiet", text+";  ✓ as expected  ✗ not  ? inconclusive")}
}
