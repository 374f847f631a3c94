package chart

import (
	"fmt"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

// detail says how finely a chart shows the two parties.
type detail struct {
	client func(*timeline.Operation) []Lane
	server func(*timeline.Operation) []Lane
}

var (
	coarse = detail{
		client: func(o *timeline.Operation) []Lane { return []Lane{clientLane(o)} },
		server: func(o *timeline.Operation) []Lane {
			return serverLanes(o, func(Exchange) []Mark { return nil })
		},
	}
	detailed = detail{client: clientLanes, server: func(o *timeline.Operation) []Lane { return serverLanes(o, ExchangeMarks) }}
)

// Lane names of a detailed chart.
const (
	admissionName = "admission"
	attemptsName  = "attempts"
	pausesName    = "pauses"
)

// clientLanes are the client's own queue, its attempts and its pauses; a lane
// in which nothing happened is left out, but for the attempts: that there was
// none is worth seeing.
func clientLanes(o *timeline.Operation) []Lane {
	var lanes []Lane
	if a := o.Admission; a != nil {
		lane := Lane{Name: admissionName, Bars: admissionBars(o), Marks: []Mark{noted("the client asks for a slot", a.FromMs)}}
		if len(o.Slots) > 0 {
			lane.Marks = append(lane.Marks, noted("the client has a slot", o.Slots[0].FromMs))
		}
		lanes = append(lanes, lane)
	}
	attempts := Lane{Name: attemptsName}
	for _, a := range o.Attempts {
		attempts.Bars = append(attempts.Bars, AttemptBars(BeforePause(a, o), o.Client == "")...)
		attempts.Marks = append(attempts.Marks, attemptMarks(a)...)
	}
	if blind(o) {
		attempts = Lane{Name: clientName, Bars: unseenBars(o)}
	}
	lanes = append(lanes, attempts)
	if len(o.Backoffs) > 0 {
		lanes = append(lanes, Lane{Name: pausesName, Bars: pauseBars(o), Marks: pauseMarks(o)})
	}
	return lanes
}

func noted(text string, ms float64) Mark { return Mark{Kind: Noted, AtMs: ms, Label: text} }

// notedIf notes a moment that not every operation has.
func notedIf(marks []Mark, text string, ms *float64) []Mark {
	if ms == nil {
		return marks
	}
	return append(marks, noted(text, *ms))
}

func attemptMarks(a timeline.Attempt) []Mark {
	name := fmt.Sprintf("attempt %d ", a.N)
	marks := []Mark{noted(name+"begins", a.FromMs)}
	if c := a.Connection; c != nil && a.Conn != "" {
		how := "has a new connection"
		if a.Reused {
			how = "has a connection from the pool"
		}
		marks = append(marks, noted(name+how, c.ToMs))
	}
	marks = notedIf(marks, name+"has written its request", a.WrittenMs)
	marks = notedIf(marks, name+"has the headers"+statusText(a.Status), a.HeadersMs)
	marks = notedIf(marks, name+"has the whole body", a.BodyMs)
	if !a.Open {
		marks = append(marks, noted(name+endText[a.End], a.ToMs))
	}
	return marks
}

var endText = map[eventlog.Kind]string{eventlog.AttemptFinished: "is complete", eventlog.AttemptTimedOut: "has reached its limit",
	eventlog.AttemptCancelled: "is cancelled", eventlog.AttemptFailed: "has failed"}

func statusText(status int) string {
	if status == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d)", status)
}

func pauseMarks(o *timeline.Operation) []Mark {
	var marks []Mark
	for _, p := range o.Backoffs {
		marks = append(marks, noted(fmt.Sprintf("a pause of %s ms begins", wording.MsText(p.PlannedMs)), p.FromMs))
		if p.Finished {
			marks = append(marks, noted("the pause is over", p.ToMs))
		} else if o.Finished {
			marks = append(marks, noted("the pause is cut short", p.ToMs))
		}
	}
	return marks
}

// ExchangeMarks are the steps of one request at the server.
func ExchangeMarks(e Exchange) []Mark {
	name := fmt.Sprintf("request %d ", e.N)
	marks := []Mark{noted(name+"arrives", e.StartMs)}
	marks = notedIf(marks, name+"comes to the end of its scripted wait", e.FaultDueMs)
	marks = notedIf(marks, name+"is answered: headers"+statusText(e.Status), e.HeadersMs)
	marks = notedIf(marks, name+"is answered: whole body", e.BodyMs)
	marks = notedIf(marks, name+"has lost its client"+goneText[e.ClientGoneHow], e.ClientGoneMs)
	return notedIf(marks, name+"is over at the server", e.HandlerEndMs)
}

var goneText = map[string]string{"fin": " (connection closed)", "rst": " (connection reset)", "reset_stream": " (stream reset)"}
