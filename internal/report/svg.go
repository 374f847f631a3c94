package report

import (
	"html/template"
	"unicode/utf8"

	"github.com/deadlinelab/deadlinelab/internal/svg"
)

// SVGOptions say how a drawing is to be used.
type SVGOptions struct {
	Title      string  // what a screen reader announces
	Text       string  // what it reads: the drawing in words
	ID         string  // of the drawing in its page; may be empty
	Width      float64 // 0 = 1160; the height follows from what is drawn
	standalone bool    // a file of its own with its style; else the page has DrawingStyle
}

const svgWidth = 1160

func (o SVGOptions) width() float64 {
	if o.Width == 0 {
		return svgWidth
	}
	return o.Width
}

// sheet wraps a drawing of the given height into its root: scalable, with a
// name and a description, and in a file of its own with style and background.
func (o SVGOptions) sheet(height float64, content ...*svg.Element) *svg.Element {
	root := svg.New("svg", "id", o.ID, "class", "drawing", "viewBox", "0 0 "+svg.Number(o.width())+" "+svg.Number(height), "role", "img", "aria-label", plain(o.Title))
	if o.standalone {
		root.Set("xmlns", svg.Namespace, "width", o.width(), "height", height)
	}
	if o.Text != "" {
		root.Add(svg.New("desc").Say(plain(o.Text)))
	}
	if o.standalone {
		root.Add(svg.New("title").Say(plain(o.Title)), svg.New("style").Say(standaloneStyle()), svg.New("rect", "class", "sheet", "width", "100%", "height", "100%"))
	}
	return root.Add(content...)
}

// inPage is a drawing as a piece of a page: everything in it is escaped.
func inPage(drawing *svg.Element) template.HTML { return template.HTML(drawing.Bytes()) }

func textAt(x, y float64, class, text string) *svg.Element {
	return svg.New("text", "x", x, "y", y, "class", class).Say(plain(text))
}

func lineAt(class string, x1, y1, x2, y2 float64) *svg.Element {
	return svg.New("path", "class", class, "d", "M"+point(x1, y1)+"L"+point(x2, y2))
}

func rectAt(x, y, width, height float64) *svg.Element {
	return svg.New("rect", "x", x, "y", y, "width", width, "height", height)
}

func point(x, y float64) string { return svg.Number(x) + " " + svg.Number(y) }

// letterWidth is what one letter of 13 px takes at most on average: enough to
// tell whether a label fits, without a font at hand.
const letterWidth = 7

func textWidth(text string) float64 { return letterWidth * float64(utf8.RuneCountInString(text)) }
