package report

// glyphs is how a drawing looks without colour. Every kind of bar has a fill
// of its own, so that the lanes can be told apart in black and white.
type glyphs struct {
	bars     map[BarKind]rune
	returned rune
	gaveUp   rune
	deadline rune // crosses every lane
	axis     rune
	tick     rune
	start    rune
	onward   rune // the bar goes on past the axis
	cut      string
	dash     string // between sentences' parts
}

var unicodeGlyphs = glyphs{
	bars: map[BarKind]rune{Waiting: '━', Overdue: '╳', Held: '▚', Queued: '░', Connecting: '░', Writing: '▓', Requesting: '▓', Reading: '▒',
		Pausing: '·', Serving: '▓', Sending: '▒', ForNobody: '~', Unseen: '┄'},
	returned: '●', gaveUp: '▲', deadline: '│', axis: '─', tick: '┬', start: '├', onward: '▶', cut: "…", dash: "·",
}

var asciiGlyphs = glyphs{
	bars: map[BarKind]rune{Waiting: '=', Overdue: 'X', Held: '%', Queued: ':', Connecting: ':', Writing: '#', Requesting: '#', Reading: '+',
		Pausing: '.', Serving: '#', Sending: '+', ForNobody: '~', Unseen: '-'},
	returned: 'o', gaveUp: '^', deadline: '|', axis: '-', tick: '+', start: '+', onward: '>', cut: "...", dash: "-",
}

// meanings explains the fills in the order of the legend.
var meanings = []struct {
	kind BarKind
	text string
}{
	{Waiting, "caller waits"}, {Overdue, "past the deadline"}, {Held, "held by another call"}, {Queued, "waits for a slot or connection"},
	{Requesting, "request"}, {Reading, "body"}, {Pausing, "pause"}, {ForNobody, "works on for nobody"}, {Unseen, "not reported"},
}

// colours are ANSI codes; a drawing must be readable without them.
var colours = map[BarKind]string{Waiting: "36", Overdue: "1;31", Held: "35", Queued: "33", Connecting: "33", Writing: "34", Requesting: "34",
	Reading: "32", Pausing: "33", Serving: "34", Sending: "32", ForNobody: "31"}
