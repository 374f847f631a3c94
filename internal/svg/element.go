// Package svg builds drawings as a tree of elements, so that every text and
// every attribute is escaped in one place.
package svg

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Namespace is what the root of a drawing in a file of its own must name.
const Namespace = "http://www.w3.org/2000/svg"

// Element is one element with its text and its children.
type Element struct {
	name     string
	attrs    []attribute
	text     string
	children []*Element
}

type attribute struct{ name, value string }

// New makes an element. Attributes are pairs of a name and a string, an int or
// a float64; numbers are written with at most three decimals, and an empty
// string leaves the attribute out.
func New(name string, attributes ...any) *Element {
	return (&Element{name: name}).Set(attributes...)
}

// Set adds attributes.
func (e *Element) Set(attributes ...any) *Element {
	for i := 0; i+1 < len(attributes); i += 2 {
		name, value := attributes[i].(string), text(attributes[i+1])
		if value != "" {
			e.attrs = append(e.attrs, attribute{name, value})
		}
	}
	return e
}

// Add appends children; nil ones are skipped. It returns the parent.
func (e *Element) Add(children ...*Element) *Element {
	for _, c := range children {
		if c != nil {
			e.children = append(e.children, c)
		}
	}
	return e
}

// Say sets the element's own text, which comes before its children.
func (e *Element) Say(text string) *Element {
	e.text = text
	return e
}

// Titled adds a title: the name that a reader hears and a pointer shows.
func (e *Element) Titled(title string) *Element {
	return e.Add(New("title").Say(title))
}

// Bytes is the element as XML that is also valid inside HTML.
func (e *Element) Bytes() []byte {
	var b bytes.Buffer
	e.write(&b)
	return b.Bytes()
}

func (e *Element) write(b *bytes.Buffer) {
	b.WriteString("<" + e.name)
	for _, a := range e.attrs {
		b.WriteString(" " + a.name + `="`)
		escape(b, a.value)
		b.WriteByte('"')
	}
	if e.text == "" && len(e.children) == 0 {
		b.WriteString("/>")
		return
	}
	b.WriteByte('>')
	for i, line := range strings.Split(e.text, "\n") { // a style sheet keeps its lines
		if i > 0 {
			b.WriteByte('\n')
		}
		escape(b, line)
	}
	for _, c := range e.children {
		c.write(b)
	}
	b.WriteString("</" + e.name + ">")
}

// escape replaces what XML cannot hold as well; a buffer's Write never fails.
func escape(b *bytes.Buffer, text string) { _ = xml.EscapeText(b, []byte(text)) }

func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case float64:
		return Number(v)
	}
	panic(fmt.Sprintf("svg: an attribute of type %T, expected string, int or float64", value))
}

// Number writes a coordinate or milliseconds with at most three decimals.
func Number(v float64) string {
	return strconv.FormatFloat(math.Round(v*1000)/1000+0, 'f', -1, 64)
}
