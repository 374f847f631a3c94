package term

import "github.com/deadlinelab/deadlinelab/internal/chart"

// Glyphs is how a drawing looks without colour. Every kind of bar has a fill
// of its own, so that the lanes can be told apart in black and white.
type Glyphs struct {
	bars     map[chart.BarKind]rune
	returned rune
	gaveUp   rune
	deadline rune // crosses every lane
	axis     rune
	tick     rune
	start    rune
	onward   rune // the bar goes on past the axis
	Cut      string
	dash     string // between sentences' parts
}

// UnicodeGlyphs are the characters of a drawing where all of Unicode is shown.
var UnicodeGlyphs = Glyphs{
	bars: map[chart.BarKind]rune{chart.Waiting: '━', chart.Overdue: '╳', chart.Held: '▚', chart.Queued: '░', chart.Connecting: '░', chart.Writing: '▓', chart.Requesting: '▓', chart.Reading: '▒',
		chart.Pausing: '·', chart.Serving: '▓', chart.Sending: '▒', chart.ForNobody: '~', chart.Unseen: '┄'},
	returned: '●', gaveUp: '▲', deadline: '│', axis: '─', tick: '┬', start: '├', onward: '▶', Cut: "…", dash: "·",
}

// AsciiGlyphs are those in ASCII.
var AsciiGlyphs = Glyphs{
	bars: map[chart.BarKind]rune{chart.Waiting: '=', chart.Overdue: 'X', chart.Held: '%', chart.Queued: ':', chart.Connecting: ':', chart.Writing: '#', chart.Requesting: '#', chart.Reading: '+',
		chart.Pausing: '.', chart.Serving: '#', chart.Sending: '+', chart.ForNobody: '~', chart.Unseen: '-'},
	returned: 'o', gaveUp: '^', deadline: '|', axis: '-', tick: '+', start: '+', onward: '>', Cut: "...", dash: "-",
}

// meanings explains the fills in the order of the legend.
var meanings = []struct {
	kind chart.BarKind
	text string
}{
	{chart.Waiting, "caller waits"}, {chart.Overdue, "past the deadline"}, {chart.Held, "held by another call"}, {chart.Queued, "waits for a slot or connection"},
	{chart.Requesting, "request"}, {chart.Reading, "body"}, {chart.Pausing, "pause"}, {chart.ForNobody, "works on for nobody"}, {chart.Unseen, "not reported"},
}

// colours are ANSI codes; a drawing must be readable without them.
var colours = map[chart.BarKind]string{chart.Waiting: "36", chart.Overdue: "1;31", chart.Held: "35", chart.Queued: "33", chart.Connecting: "33", chart.Writing: "34", chart.Requesting: "34",
	chart.Reading: "32", chart.Pausing: "33", chart.Serving: "34", chart.Sending: "32", chart.ForNobody: "31"}
