package svg

import (
	_ "embed"
	"fmt"
	"strings"
)

// tone is one colour of the drawings and pages, in light and in dark.
type tone struct{ name, light, dark string }

// palette names every colour once. The five promises keep theirs in both
// dresses and are told apart by people who see no red or no green; a shape or
// a word stands beside each all the same.
var palette = []tone{
	{"paper", "#ffffff", "#14181d"}, {"ink", "#14202b", "#edf1f5"}, {"quiet", "#51606e", "#a9b6c2"}, {"line", "#d3dae1", "#36414c"},
	{"soft", "#f3f6f8", "#1d242b"}, {"link", "#0b57a4", "#8cc2ff"}, {"focus", "#0b57a4", "#ffd166"},
	{"kept", "#35b58a", "#35b58a"}, {"failed", "#7cc0f2", "#7cc0f2"}, {"late", "#f0813a", "#f0813a"},
	{"unbounded", "#7b2367", "#8f3079"}, {"cancelled", "#bcc3ca", "#bcc3ca"},
	{"on-promise", "#10161c", "#10161c"}, {"on-unbounded", "#ffffff", "#ffffff"},
	{"deadline", "#b3261e", "#ff8a7a"}, {"past", "#fdeceb", "#2d1a1a"},
	{"waiting", "#51606e", "#a9b6c2"}, {"overdue", "#d9480f", "#ff7a3d"},
	{"held", "#e4d6f2", "#45315c"}, {"queued", "#fbe6b5", "#5a4712"}, {"connecting", "#fbe6b5", "#5a4712"},
	{"request", "#bcd7f5", "#234a75"}, {"body", "#bfe6d3", "#1f5a45"}, {"pause", "#e3e8ec", "#333d47"}, {"nobody", "#fbd0bd", "#5f2c18"},
	{"texture", "#6b7a88", "#93a1ae"}, {"noise", "#d5dbe1", "#3b4651"},
}

// DrawingStyle is the style sheet of every drawing in a page: the palette as
// custom properties, light and dark, and the rules that use it.
func DrawingStyle() string {
	return ":root{" + properties(func(t tone) string { return t.light }) + "}\n" +
		"@media (prefers-color-scheme:dark){:root{" + properties(func(t tone) string { return t.dark }) + "}}\n" +
		"@media print{:root{" + properties(func(t tone) string { return t.light }) + "}}\n" + drawingCSS
}

//go:embed assets/drawing.css
var drawingCSS string

func properties(of func(tone) string) string {
	var b strings.Builder
	for _, t := range palette {
		fmt.Fprintf(&b, "--%s:%s;", t.name, of(t))
	}
	return b.String()
}

// standaloneStyle spells the light colours out: slide programs know no custom
// properties.
func standaloneStyle() string {
	style := drawingCSS
	for _, t := range palette {
		style = strings.ReplaceAll(style, "var(--"+t.name+")", t.light)
	}
	return style
}
