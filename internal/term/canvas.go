package term

import "strings"

// canvas is one line of a drawing. Text is kept apart from fills, so that a
// deadline can cross fills without breaking words.
type canvas struct {
	runes  []rune
	colour []string
	text   []bool
}

func newCanvas(columns int) *canvas {
	c := &canvas{runes: make([]rune, columns), colour: make([]string, columns), text: make([]bool, columns)}
	for i := range c.runes {
		c.runes[i] = ' '
	}
	return c
}

func (c *canvas) fill(from, to int, r rune, colour string) {
	for i := max(from, 0); i < to && i < len(c.runes); i++ {
		c.runes[i], c.colour[i] = r, colour
	}
}

// write puts text at a column; what does not fit is cut.
func (c *canvas) write(at int, text, colour string) {
	for _, r := range text {
		if at >= 0 && at < len(c.runes) {
			c.runes[at], c.colour[at], c.text[at] = r, colour, true
		}
		at++
	}
}

// cross draws a line through everything but text.
func (c *canvas) cross(at int, r rune) {
	if at < len(c.runes) && !c.text[at] {
		c.runes[at], c.colour[at] = r, ""
	}
}

func (c *canvas) free(from, to int) bool {
	if from < 0 || to > len(c.runes) {
		return false
	}
	for i := from; i < to; i++ {
		if c.runes[i] != ' ' || c.text[i] {
			return false
		}
	}
	return true
}

// line is the canvas without trailing blanks, with ANSI colours if asked.
func (c *canvas) line(colours bool) string {
	var b strings.Builder
	end := len(c.runes)
	for end > 0 && c.runes[end-1] == ' ' {
		end--
	}
	current := ""
	for i := range end {
		if colours && c.colour[i] != current {
			b.WriteString(Ansi(current, c.colour[i]))
			current = c.colour[i]
		}
		b.WriteRune(c.runes[i])
	}
	if current != "" {
		b.WriteString("\x1b[0m")
	}
	return b.String()
}

// Ansi is the escape sequence between two colours.
func Ansi(from, to string) string {
	if to == "" {
		return "\x1b[0m"
	}
	if from == "" {
		return "\x1b[" + to + "m"
	}
	return "\x1b[0;" + to + "m"
}
