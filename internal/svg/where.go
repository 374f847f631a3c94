package svg

import (
	"fmt"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// The measures of "where the time went" in pixels.
const (
	whereTop    = 46
	whereHeight = 66
)

// phase is one part of an operation's duration.
type phase struct {
	kind chart.BarKind
	Name string
	MS   float64
}

// Phases are the parts of a duration in the order of a request's life.
func Phases(w timeline.Where) []phase {
	return []phase{{chart.Queued, "slot queue", w.Admission}, {chart.Connecting, "pool queue", w.ConnectionWait}, {chart.Connecting, "dns", w.DNS}, {chart.Connecting, "connect", w.Connect}, {chart.Connecting, "tls", w.TLS},
		{chart.Requesting, "server", w.Server}, {chart.Reading, "body", w.Body}, {chart.Pausing, "pauses", w.Backoff}, {chart.Writing, "client's own code", w.Cleanup}, {chart.Unseen, "not reported", w.Unreported}}
}

// WhereDrawing stacks where the time of each typical operation went, and sets
// below it what the two metrics that lie would have said.
func WhereDrawing(list []chart.Subject, o SVGOptions) *Element {
	w := &where{y: whereTop}
	for _, s := range list {
		w.budget = max(w.budget, s.Operation.BudgetMs)
		w.end = max(w.end, s.Operation.DurationMs, s.Operation.BudgetMs)
	}
	w.end = max(w.end, 1) * 1.03
	for _, s := range list {
		w.operation(s.Operation)
	}
	return o.sheet(w.y, append(w.frame(), w.content...)...)
}

type where struct {
	budget, end float64
	y           float64
	content     []*Element
}

func (w *where) x(ms float64) float64 { return stripLeft + ms/w.end*(zoomRight-stripLeft) }

func (w *where) add(e ...*Element) { w.content = append(w.content, e...) }

func (w *where) frame() []*Element {
	from := w.x(w.budget)
	back := []*Element{rectAt(from, whereTop, zoomRight-from, w.y-whereTop).Set("class", "past")}
	for _, t := range chart.Ticks(w.end) {
		back = append(back, lineAt("grid", w.x(t), whereTop, w.x(t), w.y), textAt(w.x(t), whereTop-8, "quiet middle", Number(t)))
	}
	return append(back, lineAt("rule", stripLeft, whereTop, zoomRight, whereTop), textAt(stripLeft-14, whereTop-8, "quiet end", "ms"),
		lineAt("deadline", from, whereTop, from, w.y), textAt(from, 14, "deadline-name middle", fmt.Sprintf("budget %g ms", w.budget)))
}

func (w *where) operation(o *timeline.Operation) {
	w.add(lineAt("grid", 0, w.y, zoomRight, w.y), textAt(4, w.y+21, "strong", textui.FullName(o.Label, o.Variant)), textAt(4, w.y+40, "quiet", "the caller waited "+wording.MsText(o.DurationMs)+" ms"+netToo(o)))
	at := 0.0
	for _, p := range Phases(o.Where) {
		if p.MS > 0 {
			w.add(w.part(p, at))
			at += p.MS
		}
	}
	noCall, noHeaders := "nothing: there was no call", "nothing: no headers came"
	const untold = "what this client does not report"
	if slices.Contains(o.Unreported, "http_timer_ms") {
		noCall = untold
	}
	if slices.Contains(o.Unreported, "to_headers_ms") {
		noHeaders = untold
	}
	w.metric(36, "a timer around the HTTP calls says", noCall, o.HTTPTimerMs)
	w.metric(52, "a timer that stops at the headers says", noHeaders, o.ToHeadersMs)
	w.y += whereHeight
}

// netToo follows a raw duration that has a net one.
func netToo(o *timeline.Operation) string {
	if o.NetMs == nil {
		return ""
	}
	return ", net " + wording.MsText(*o.NetMs)
}

func (w *where) part(p phase, from float64) *Element {
	x, width := w.x(from), w.x(from+p.MS)-w.x(from)
	text := fmt.Sprintf("%s %s", p.Name, wording.MsText(p.MS))
	group := New("g", "class", "bar "+p.kind.String(), "data-ms-from", from, "data-ms-to", from+p.MS).Titled(text+" ms").
		Add(rectAt(x, w.y+8, max(width, 0.5), barHeight).Set("class", "fill"), texture(p.kind, x, w.y+8, width, barHeight))
	if textWidth(text)+8 <= width {
		group.Add(textAt(x+width/2, w.y+21, "middle", text))
	}
	return group
}

// metric is what a timer would have said, as a length beside the caller's.
func (w *where) metric(dy float64, says, otherwise string, ms *float64) {
	y := w.y + dy
	if ms == nil {
		w.add(textAt(stripLeft+6, y+4, "quiet small", says+" "+otherwise))
		return
	}
	end, text := w.x(*ms), says+" "+wording.MsText(*ms)+" ms"
	wide := textWidth(text) * smallText
	line := New("g").Titled(text).Add(lineAt("metric", stripLeft, y-3, stripLeft, y+3), lineAt("metric", end, y-3, end, y+3))
	if end+8+wide <= zoomRight {
		w.add(line.Add(lineAt("metric", stripLeft, y, end, y)), textAt(end+8, y+4, "quiet small", text))
		return
	}
	w.add(line.Add(lineAt("metric", stripLeft, y, max(stripLeft, end-14-wide), y), lineAt("metric", end-5, y, end, y)), textAt(end-9, y+4, "quiet small end", text))
}

// smallText is how much narrower small letters are.
const smallText = 0.88
