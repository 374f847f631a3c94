package chart

// BarNames are the kinds of bars by their number, as style sheets and pages name them.
var BarNames = [...]string{"waiting", "overdue", "held", "queued", "connecting", "writing", "requesting", "reading", "pausing", "serving", "sending", "for-nobody", "unseen"}

// MarkNames are the kinds of marks by their number, as style sheets and pages name
// them.
var MarkNames = [...]string{"returned", "gave-up", "noted"}

// BarWords say what a bar without labels of its own is.
var BarWords = map[BarKind]string{Waiting: "the caller waits", Overdue: "the caller waits, past its deadline", Connecting: "waits for a connection",
	Writing: "writes the request", Requesting: "waits for headers", Reading: "reads the body", Serving: "works on the request", Sending: "sends the body", Unseen: "not reported"}

// MarkText names a moment in full.
func MarkText(m Mark) string {
	switch m.Kind {
	case GaveUp:
		return "gives up: " + m.Label
	case Returned:
		return "control is back with the caller: " + m.Label
	}
	return m.Label
}
