// Package chart is the picture of operations as data: lanes, bars and moments in
// milliseconds from t0. Whatever draws, draws from it and computes nothing of its
// own.
package chart

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// Chart is a picture of operations as data: blocks of lanes on one time axis,
// in milliseconds from t0. How it looks is the business of whoever draws it.
type Chart struct {
	EndMs      float64
	Ticks      []float64
	DeadlineMs float64
	Blocks     []Block
}

// DeadlineShown tells whether the deadline lies on the axis: where everything
// is over long before it, the axis ends earlier so that there is something to
// see.
func (c Chart) DeadlineShown() bool { return c.DeadlineMs <= c.EndMs }

// Block is one operation: its variant and its lanes from the caller down to
// the server.
type Block struct {
	Op       string
	Label    string
	Variant  string
	Promise  timeline.Promise
	Headline string
	Lanes    []Lane
}

// Lane is one party of an operation. A server that works on several requests
// at once has a lane for each; only the first one carries the name.
type Lane struct {
	Name  string
	Bars  []Bar
	Marks []Mark
}

// Bar is something that lasted. Its labels go from the most telling to the
// shortest: a drawing takes the first that fits.
type Bar struct {
	Kind   BarKind
	FromMs float64
	ToMs   float64
	Open   bool     // it had no end, or the axis ends first
	Labels []string // inside
	Beside []string // right of a bar that is too short for any label; may be empty
}

// BarKind is what a bar stands for.
type BarKind int

// The kinds of bars.
const (
	Waiting    BarKind = iota // the caller waits, within its budget
	Overdue                   // the caller waits, past its deadline
	Held                      // somebody else holds the slot or the connection
	Queued                    // the client waits for a slot
	Connecting                // an attempt, waiting for a connection
	Writing                   // an attempt, writing its request
	Requesting                // an attempt, up to the response head
	Reading                   // an attempt, reading the body
	Pausing                   // a backoff
	Serving                   // the server works on a request
	Sending                   // the server sends the body
	ForNobody                 // the server goes on although the client has left
	Unseen                    // what the client does is not reported
)

func (k BarKind) String() string { return BarNames[k] }

// Mark is a moment.
type Mark struct {
	Kind  MarkKind
	AtMs  float64
	Label string
}

// MarkKind is what a mark stands for.
type MarkKind int

// The kinds of marks.
const (
	Returned MarkKind = iota // control is back with the caller
	GaveUp                   // a limit, the deadline or the caller ended something
	Noted                    // a step on the way: only a detailed chart has them
)

func (k MarkKind) String() string { return MarkNames[k] }

// Subject is one operation to draw, with the operations that were arranged
// around it and its journal.
type Subject struct {
	Operation *timeline.Operation
	Helpers   []*timeline.Operation // phase helper, serving this operation
	Journal   []timeline.Entry
}

// NewChart lays the subjects out on one axis, with one lane for the client:
// what a terminal has room for.
func NewChart(subjects []Subject) Chart { return newChart(subjects, coarse) }

// NewDetailedChart has a lane each for admission, attempts and pauses, and
// notes every step between. Its moments are whole hundredths of a millisecond,
// so that whoever draws it gets the same picture from its numbers.
func NewDetailedChart(subjects []Subject) Chart {
	c := newChart(subjects, detailed)
	c.round()
	return c
}

func newChart(subjects []Subject, d detail) Chart {
	var c Chart
	for _, s := range subjects {
		c.DeadlineMs = s.Operation.BudgetMs
		c.Blocks = append(c.Blocks, newBlock(s, d))
	}
	c.EndMs = axisEnd(subjects)
	c.Ticks = Ticks(c.EndMs)
	for i := range c.Blocks {
		c.Blocks[i].clip(c.EndMs)
	}
	return c
}

func newBlock(s Subject, d detail) Block {
	o := s.Operation
	b := Block{Op: o.Op, Label: o.Label, Variant: o.Variant, Promise: wording.PromiseOf(o), Headline: headline(o)}
	b.Lanes = append(b.Lanes, CallerLane(o))
	for _, h := range s.Helpers {
		b.Lanes = append(b.Lanes, helperLanes(h, float64(h.T0Ns-o.T0Ns)/1e6)...)
	}
	b.Lanes = append(b.Lanes, d.client(o)...)
	if stops := StopLane(o); len(stops.Marks) > 0 {
		b.Lanes = append(b.Lanes, stops)
	}
	b.Lanes = append(b.Lanes, d.server(o)...)
	return b
}

// headline is what the caller got, in a few words.
func headline(o *timeline.Operation) string {
	text := fmt.Sprintf("%s after %s ms", o.Outcome, wording.MsText(o.DurationMs))
	if o.NetMs != nil {
		text += fmt.Sprintf(" (%s net of start-up)", wording.MsText(*o.NetMs))
	}
	if o.Late {
		text += fmt.Sprintf(", %s ms late", wording.MsText(o.Overshoot))
	}
	if !blind(o) {
		text += " · " + textui.CountOrNo(len(o.Attempts), "attempt")
	}
	return text + " · " + textui.CountOrNo(o.ServerRequests, "request")
}

// blind tells an operation of a client that does not report its attempts.
func blind(o *timeline.Operation) bool { return o.Client != "" && o.Attempts == nil }

// clip cuts what lies outside of the axis and marks what goes on.
func (b *Block) clip(end float64) {
	for i := range b.Lanes {
		lane := &b.Lanes[i]
		kept := lane.Bars[:0]
		for _, bar := range lane.Bars {
			if bar.ToMs < 0 || bar.FromMs > end {
				continue
			}
			bar.FromMs = max(bar.FromMs, 0)
			if bar.ToMs > end {
				bar.ToMs, bar.Open = end, true
			}
			kept = append(kept, bar)
		}
		lane.Bars = kept
	}
}

// round rounds every moment to hundredths of a millisecond.
func (c *Chart) round() {
	c.EndMs = wording.Hundredths(c.EndMs)
	for _, b := range c.Blocks {
		for _, lane := range b.Lanes {
			for i := range lane.Bars {
				lane.Bars[i].FromMs, lane.Bars[i].ToMs = wording.Hundredths(lane.Bars[i].FromMs), wording.Hundredths(lane.Bars[i].ToMs)
			}
			for i := range lane.Marks {
				lane.Marks[i].AtMs = wording.Hundredths(lane.Marks[i].AtMs)
			}
		}
	}
}

// Kinds are the kinds of bars that occur.
func (c Chart) Kinds() map[BarKind]bool {
	used := map[BarKind]bool{}
	for _, b := range c.Blocks {
		for _, lane := range b.Lanes {
			for _, bar := range lane.Bars {
				used[bar.Kind] = true
			}
		}
	}
	return used
}
