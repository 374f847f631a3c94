package svg

import (
	"html/template"
	"unicode/utf8"

	"github.com/deadlinelab/deadlinelab/internal/textui"
)

// SVGOptions say how a drawing is to be used.
type SVGOptions struct {
	Title      string  // what a screen reader announces
	Text       string  // what it reads: the drawing in words
	ID         string  // of the drawing in its page; may be empty
	Width      float64 // 0 = 1160; the height follows from what is drawn
	Standalone bool    // a file of its own with its style; else the page has DrawingStyle
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
func (o SVGOptions) sheet(height float64, content ...*Element) *Element {
	root := New("svg", "id", o.ID, "class", "drawing", "viewBox", "0 0 "+Number(o.width())+" "+Number(height), "role", "img", "aria-label", textui.Plain(o.Title))
	if o.Standalone {
		root.Set("xmlns", Namespace, "width", o.width(), "height", height)
	}
	if o.Text != "" {
		root.Add(New("desc").Say(textui.Plain(o.Text)))
	}
	if o.Standalone {
		root.Add(New("title").Say(textui.Plain(o.Title)), New("style").Say(standaloneStyle()), New("rect", "class", "sheet", "width", "100%", "height", "100%"))
	}
	return root.Add(content...)
}

// InPage is a drawing as a piece of a page: everything in it is escaped.
func InPage(drawing *Element) template.HTML { return template.HTML(drawing.Bytes()) }

func textAt(x, y float64, class, text string) *Element {
	return New("text", "x", x, "y", y, "class", class).Say(textui.Plain(text))
}

func lineAt(class string, x1, y1, x2, y2 float64) *Element {
	return New("path", "class", class, "d", "M"+point(x1, y1)+"L"+point(x2, y2))
}

func rectAt(x, y, width, height float64) *Element {
	return New("rect", "x", x, "y", y, "width", width, "height", height)
}

func point(x, y float64) string { return Number(x) + " " + Number(y) }

// letterWidth is what one letter of 13 px takes at most on average: enough to
// tell whether a label fits, without a font at hand.
const letterWidth = 7

func textWidth(text string) float64 { return letterWidth * float64(utf8.RuneCountInString(text)) }
