package runner_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// witness is what the events of one operation say, beside what a person is told
// of it: its sentence, and the labels of its drawing.
type witness struct {
	op      *timeline.Operation
	events  []timeline.Entry // of both sides, without those of helpers
	bound   float64          // how far the server's times may be off, in ms
	problem []string
}

func newWitness(s chart.Subject) *witness {
	own := slices.DeleteFunc(slices.Clone(s.Journal), func(e timeline.Entry) bool { return e.Op != s.Operation.Op })
	return &witness{op: s.Operation, events: own, bound: s.Operation.ServerBound}
}

func (w *witness) must(holds bool, format string, args ...any) {
	if !holds {
		w.problem = append(w.problem, fmt.Sprintf(format, args...))
	}
}

func (w *witness) all(kinds ...eventlog.Kind) (list []timeline.Entry) {
	for _, e := range w.events {
		if slices.Contains(kinds, e.Kind) {
			list = append(list, e)
		}
	}
	return list
}

// within tells whether an event of one of the kinds is in the interval.
func (w *witness) within(from, to float64, kinds ...eventlog.Kind) bool {
	return slices.ContainsFunc(w.all(kinds...), func(e timeline.Entry) bool { return e.Ms >= from && e.Ms <= to })
}

// finished is the operation's end, by its event.
func (w *witness) finished() timeline.Entry {
	if ends := w.all(eventlog.OperationFinished); len(ends) > 0 {
		return ends[0]
	}
	return timeline.Entry{}
}

// lasted is what was judged: the end, less a start-up that was taken off.
func (w *witness) lasted() float64 {
	if w.op.StartupMs != nil {
		return w.finished().Ms - *w.op.StartupMs
	}
	return w.finished().Ms
}

// said tells whether a number in a text is x.
func said(text string, x float64) bool {
	got, err := strconv.ParseFloat(text, 64)
	exact := 0.51
	if strings.Contains(text, ".") {
		exact = 0.06
	}
	return err == nil && math.Abs(got-x) <= exact
}

var attemptEnds = []eventlog.Kind{eventlog.AttemptFinished, eventlog.AttemptTimedOut, eventlog.AttemptCancelled, eventlog.AttemptFailed}

// attempts are from and to of each attempt, and the event that ended it.
func (w *witness) attempts() (list []attemptSeen) {
	for _, e := range w.all(eventlog.AttemptStarted) {
		a := attemptSeen{n: e.Attempt, from: e.Ms, to: w.finished().Ms}
		for _, end := range w.all(attemptEnds...) {
			if end.Attempt == e.Attempt {
				a.to, a.end = end.Ms, end
				break
			}
		}
		list = append(list, a)
	}
	return list
}

type attemptSeen struct {
	n        int
	from, to float64
	end      timeline.Entry
}

func (a attemptSeen) complete() bool {
	return a.end.Kind == eventlog.AttemptFinished && (a.end.Status == 0 || a.end.Status/100 == 2)
}

// claim is something that a sentence may say, and when it is true.
type claim struct {
	says  *regexp.Regexp
	holds func(w *witness, said []string) bool
}

const number = `(-?[\d.]+)`

func says(text string, holds func(*witness, []string) bool) claim {
	return claim{regexp.MustCompile("(?i)" + strings.ReplaceAll(text, "{n}", number)), holds}
}

// claims are all that sentences say. Each was written from what the events mean,
// not from how the sentence is made.
var claims = []claim{
	says(`only the bench's hard cap did, after {n} ms of {n}\b`, func(w *witness, n []string) bool {
		return w.finished().Outcome == eventlog.CapReached && said(n[1], w.finished().Ms) && said(n[2], w.op.BudgetMs)
	}),
	says(`Nothing ended the call in time`, func(w *witness, _ []string) bool { return w.lasted() > w.op.BudgetMs && !w.deadlineFired() }),
	says(`the caller waited {n} ms of {n}\b`, func(w *witness, n []string) bool {
		return said(n[1], w.lasted()) && said(n[2], w.op.BudgetMs) && w.op.Overshoot > 0
	}),
	says(`the server received (no|\d+) requests?`, func(w *witness, n []string) bool {
		return n[1] == fmt.Sprint(len(w.all(eventlog.ServerRequestStarted))) || n[1] == "no" && len(w.all(eventlog.ServerRequestStarted)) == 0
	}),
	says(`A timer around the HTTP (calls?) says {n} ms`, func(w *witness, n []string) bool {
		sum, list := 0.0, w.attempts()
		for _, a := range list {
			sum += a.to - a.from
		}
		return len(list) > 0 && (len(list) == 1) == (n[1] == "call") && said(n[2], sum)
	}),
	says(`A timer that stops at the headers says {n} ms`, func(w *witness, n []string) bool {
		heads := w.all(eventlog.HeadersReceived)
		last := heads[len(heads)-1]
		return slices.ContainsFunc(w.attempts(), func(a attemptSeen) bool { return a.n == last.Attempt && said(n[1], last.Ms-a.from) })
	}),
	says(`{n} of them for a connection`, func(w *witness, n []string) bool { return len(w.all(eventlog.ConnectionWaitStarted)) > 0 }),
	says(`never saw that wait`, func(w *witness, _ []string) bool {
		first := w.all(eventlog.ServerRequestStarted)[0].Ms
		return first >= w.all(eventlog.ConnectionAcquired)[0].Ms-w.bound
	}),
	says(`answered in {n} ms`, func(w *witness, n []string) bool { return len(w.all(eventlog.HeadersReceived)) == 1 }),
	says(`{n} of them in the queue for a slot`, func(w *witness, n []string) bool {
		waited, got := 0.0, w.all(eventlog.AdmissionAcquired)
		for i, begun := range w.all(eventlog.AdmissionWaitStarted) {
			waited += got[i].Ms - begun.Ms
		}
		return said(n[1], waited)
	}),
	says(`no request reached the server`, func(w *witness, _ []string) bool { return len(w.all(eventlog.ServerRequestStarted)) == 0 }),
	says(`No attempt took longer than {n} ms; (\d+) attempts(?: and (\d+) pauses?)? add up`, func(w *witness, n []string) bool {
		longest, list := 0.0, w.attempts()
		for _, a := range list {
			longest = max(longest, a.to-a.from)
		}
		pauses, _ := strconv.Atoi(n[3])
		return said(n[1], longest) && longest <= w.op.BudgetMs && n[2] == fmt.Sprint(len(list)) && pauses == len(w.all(eventlog.BackoffStarted))
	}),
	says(`deadline fired after {n} ms`, func(w *witness, n []string) bool { return w.deadlineFired() && said(n[1], w.firedAt()) }),
	says(`the client went on for {n} ms`, func(w *witness, n []string) bool { return said(n[1], w.finished().Ms-w.firedAt()) }),
	says(`deadline fired after {n} ms: `, func(w *witness, n []string) bool { return w.finished().Ms-w.firedAt() <= 5 }),
	says(`The deadline freed the caller after {n} ms of {n}\b`, func(w *witness, n []string) bool {
		return w.finished().Outcome == eventlog.DeadlineExceeded && w.deadlineFired() && said(n[1], w.lasted())
	}),
	says(`The caller was free {n} ms after it cancelled`, func(w *witness, n []string) bool {
		asked := w.all(eventlog.ExternalCancelRequested)
		return len(asked) > 0 && said(n[1], w.finished().Ms-asked[0].Ms)
	}),
	says(`{n} ms of the pause were not slept`, func(w *witness, n []string) bool {
		asked, pauses := w.all(eventlog.ExternalCancelRequested)[0], w.all(eventlog.BackoffStarted)
		return slices.ContainsFunc(pauses, func(p timeline.Entry) bool {
			return p.Ms <= asked.Ms && math.Abs(toNumber(n[1])-(p.PlannedMs-(asked.Ms-p.Ms))) <= 5
		})
	}),
	says(`no further request was sent`, func(w *witness, _ []string) bool {
		return !w.within(w.all(eventlog.ExternalCancelRequested)[0].Ms+0.001, math.Inf(1), eventlog.AttemptStarted)
	}),
	says(`the client made \d+ attempts? after it`, func(w *witness, _ []string) bool {
		return w.within(w.all(eventlog.ExternalCancelRequested)[0].Ms, math.Inf(1), eventlog.AttemptStarted)
	}),
	says(`The client told its caller of a cancel after {n} ms, although the caller had not cancelled`, func(w *witness, n []string) bool {
		return w.finished().Outcome == eventlog.Cancelled && len(w.all(eventlog.ExternalCancelRequested)) == 0 && said(n[1], w.finished().Ms)
	}),
	says(`The caller had its answer after {n} ms of {n}\b`, func(w *witness, n []string) bool {
		return w.finished().Outcome == eventlog.Success && said(n[1], w.lasted()) && said(n[2], w.op.BudgetMs) && w.op.InBudget
	}),
	says(`, on attempt (\d+)`, func(w *witness, n []string) bool {
		list := w.attempts()
		last := list[len(list)-1]
		return n[1] == fmt.Sprint(last.n) && last.complete() && !slices.ContainsFunc(list[:len(list)-1], attemptSeen.complete)
	}),
	says(`, with (\d+) attempts`, func(w *witness, n []string) bool { return n[1] == fmt.Sprint(len(w.attempts())) }),
	says(`The caller had its error \((\w+)\) after {n} ms of {n}\b`, func(w *witness, n []string) bool {
		return n[1] == string(w.finished().Outcome) && said(n[2], w.lasted()) && said(n[3], w.op.BudgetMs) && !w.op.Late
	}),
	says(`the last {n} ms were a pause after which no attempt could fit`, func(w *witness, n []string) bool {
		pauses := w.all(eventlog.BackoffStarted)
		last := pauses[len(pauses)-1]
		return !w.within(last.Ms+0.001, math.Inf(1), eventlog.AttemptStarted) && last.Ms+last.PlannedMs >= w.firedAt()-1 && math.Abs(w.finished().Ms-last.Ms-toNumber(n[1])) <= 5
	}),
	says(`worked on for {n} ms for nobody`, func(w *witness, n []string) bool {
		ends := w.all(eventlog.ServerHandlerFinished)
		return slices.ContainsFunc(ends, func(e timeline.Entry) bool { return w.leftBefore(e.Ms - toNumber(n[1]) + 0.6) })
	}),
	says(`still at work when the log ended`, func(w *witness, _ []string) bool {
		return len(w.all(eventlog.ServerHandlerFinished)) < len(w.all(eventlog.ServerRequestStarted))
	}),
	says(`it cost the server (\d+) requests`, func(w *witness, n []string) bool {
		return n[1] == fmt.Sprint(len(w.all(eventlog.ServerRequestStarted)))
	}),
	says(`Nobody can tell whether the call was in time: it took {n} ms`, func(w *witness, n []string) bool { return w.op.NetMs != nil && said(n[1], w.lasted()) }),
	says(`^The client broke`, func(w *witness, _ []string) bool { return w.op.ClientBroke != "" }),
	says(`never came to an end`, func(w *witness, _ []string) bool { return len(w.all(eventlog.OperationFinished)) == 0 }),
}

func toNumber(text string) float64 { x, _ := strconv.ParseFloat(text, 64); return x }

func (w *witness) deadlineFired() bool { return len(w.all(eventlog.DeadlineFired)) > 0 }

// firedAt is when the deadline fired: its event may be written after what it
// ended was seen.
func (w *witness) firedAt() float64 {
	at := w.finished().Ms
	for _, e := range w.all(eventlog.DeadlineFired) {
		at = min(at, e.Ms)
	}
	if w.finished().Outcome == eventlog.DeadlineExceeded {
		for _, e := range w.all(eventlog.CancellationObserved) {
			at = min(at, e.Ms)
		}
	}
	return at
}

// leftBefore tells whether the client left an exchange by then, as far as its
// own events or the server's say so.
func (w *witness) leftBefore(ms float64) bool {
	return slices.ContainsFunc(w.attempts(), func(a attemptSeen) bool { return a.to <= ms && a.end.Kind != eventlog.AttemptFinished }) ||
		slices.ContainsFunc(w.all(eventlog.ServerClientGone), func(e timeline.Entry) bool { return e.Ms <= ms })
}

// filler claims nothing.
var filler = regexp.MustCompile(`, net of (a start-up of|the) .*\(.*?\)|, and the length of that start-up decides| Its error: .*|, and |; the server|; | of them|Nothing in this client ended the call: |The client's `)

// sentence holds every claim of a sentence against the events. What is left of it
// is something that nobody has checked.
func (w *witness) sentence(text string) {
	rest := text
	for _, c := range claims {
		for _, said := range c.says.FindAllStringSubmatch(text, -1) {
			w.must(c.holds(w, said), "%q is not what the events say", said[0])
			rest = strings.ReplaceAll(rest, said[0], "")
		}
	}
	rest = strings.Trim(filler.ReplaceAllString(rest, ""), " .,:;")
	w.must(rest == "", "%q is claimed, and nobody checks it", rest)
}

// drawing holds the labels of a drawing against the events.
func (w *witness) drawing(c chart.Chart) {
	for _, lane := range c.Blocks[0].Lanes {
		if slices.Contains([]string{"slot", "connection", "other call"}, lane.Name) {
			continue // somebody else's
		}
		for _, b := range lane.Bars {
			w.bar(b)
		}
		for _, m := range lane.Marks {
			w.mark(m)
		}
	}
}

const grain = 0.006 // a drawing's moments are hundredths of a millisecond

func (w *witness) bar(b chart.Bar) {
	from, to := b.FromMs-grain, b.ToMs+grain
	inside := func(kinds ...eventlog.Kind) bool { return w.within(b.FromMs+grain, b.ToMs-grain, kinds...) }
	told := len(w.all(eventlog.ConnectionWaitStarted)) > 0
	switch b.Kind {
	case chart.Queued:
		w.must(w.within(from, from+2*grain, eventlog.AdmissionWaitStarted), "a wait for a slot from %g", b.FromMs)
	case chart.Connecting:
		w.must(w.within(from, to, eventlog.ConnectionWaitStarted) && !inside(eventlog.RequestWritten, eventlog.HeadersReceived), "a wait for a connection from %g to %g", b.FromMs, b.ToMs)
	case chart.Writing:
		w.must(w.within(0, from+2*grain, eventlog.ConnectionAcquired) && !inside(eventlog.RequestWritten), "a request is written from %g to %g", b.FromMs, b.ToMs)
	case chart.Requesting:
		w.must(w.sent(from, to, told), "headers are waited for from %g to %g before a request", b.FromMs, b.ToMs)
		w.must(!inside(eventlog.HeadersReceived) || inside(eventlog.ServerRequestStarted), "headers are waited for from %g to %g, and were there", b.FromMs, b.ToMs)
	case chart.Reading:
		w.must(w.within(0, from+2*grain, eventlog.HeadersReceived) && !inside(eventlog.ServerRequestStarted, eventlog.RequestWritten), "a body is read from %g to %g", b.FromMs, b.ToMs)
	case chart.Pausing:
		w.must(w.within(from, from+2*grain, eventlog.BackoffStarted), "a pause from %g", b.FromMs)
	case chart.Unseen:
		w.must(!told && !inside(eventlog.HeadersReceived), "something unseen from %g to %g", b.FromMs, b.ToMs)
	case chart.Overdue:
		w.must(b.FromMs >= w.op.BudgetMs-grain, "past the deadline from %g on", b.FromMs)
	}
}

// sent tells whether a request was written before, or reached the server by 5 ms
// after the beginning.
func (w *witness) sent(from, to float64, told bool) bool {
	if told {
		return w.within(0, from+2*grain, eventlog.RequestWritten) || w.within(from, to, eventlog.RequestWritten) && w.within(0, to, eventlog.HeadersReceived)
	}
	return w.within(0, from+5+2*grain+w.bound, eventlog.ServerRequestStarted) || w.within(0, to, eventlog.HeadersReceived)
}

func (w *witness) mark(m chart.Mark) {
	if m.Kind != chart.GaveUp {
		return
	}
	at := func(k eventlog.Kind) bool {
		return slices.ContainsFunc(w.all(k), func(e timeline.Entry) bool { return math.Abs(e.Ms-m.AtMs) <= grain })
	}
	switch m.Label {
	case "deadline":
		w.must(w.deadlineFired() && math.Abs(w.firedAt()-m.AtMs) <= grain, "a deadline at %g", m.AtMs)
	case "the caller cancels":
		w.must(at(eventlog.ExternalCancelRequested), "a cancel at %g", m.AtMs)
	case "the bench's hard cap":
		w.must(w.finished().Outcome == eventlog.CapReached, "a hard cap at %g", m.AtMs)
	default:
		w.must(at(eventlog.AttemptTimedOut), "%s at %g", m.Label, m.AtMs)
	}
}

// check holds all that is told of an operation against its events.
func check(t *testing.T, s chart.Subject) {
	t.Helper()
	w := newWitness(s)
	text := chart.Sentence(s.Operation)
	w.sentence(text)
	for _, chart := range []chart.Chart{chart.NewChart([]chart.Subject{s}), chart.NewDetailedChart([]chart.Subject{s})} {
		w.drawing(chart)
	}
	if len(w.problem) > 0 {
		t.Errorf("%s (%s): %s\n%s\n%s", s.Operation.Op, s.Operation.Variant, text, strings.Join(w.problem, "\n"), w.story())
	}
}

// story is the journal in a few words.
func (w *witness) story() string {
	var b strings.Builder
	for _, e := range w.events {
		fmt.Fprintf(&b, "%s %.1f %s %s;", e.Side[:1], e.Ms, e.Kind, e.Outcome)
	}
	return b.String()
}
