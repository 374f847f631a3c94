package labserver

import (
	"bytes"
	"fmt"
	"regexp"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// proof is a fault met by a raw socket: what the client says, and what must
// come back, byte for byte, when, and how the connection ends.
type proof struct {
	fault string        // the upstream, as in a scenario file
	says  []said        // what the client sends
	want  []arrival     // everything that comes back, in order
	end   string        // fin, rst, open, refused, timeout
	endAt time.Duration // not before, from the first byte sent

	commits int           // effect_committed in the log
	unsent  bool          // not everything that was said could be sent
	accept  bool          // times count from the connection, not from the first byte sent
	release time.Duration // of the operation's gate, from the dial; 0 = none
}

// said is what the client sends once that many bytes have come back.
type said struct {
	after int
	text  string
}

// arrival is a text whose first byte comes not before an instant, counted from
// the first byte sent.
type arrival struct {
	at   time.Duration
	text string
}

// Bounds of a proof. Nothing may be early; how late it may be is generous,
// because a busy machine is no defect of the server.
const (
	proofLate   = 2 * time.Second
	proofQuiet  = 100 * time.Millisecond // silence that shows that nothing more comes
	proofDial   = 300 * time.Millisecond // after which a dial counts as unanswered
	proofOp     = "proof"
	proofMarker = "deadlinelab:" + proofOp
)

// date is the one header whose value is not in a script.
var date = regexp.MustCompile(`Date: [^\r\n]*\r\n`)

// judge lists what is not as it must be.
func (p *proof) judge(o *observed, commits int) (problems []string) {
	say := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if o.err != nil {
		return []string{o.err.Error()}
	}
	var want []byte
	for _, a := range p.want {
		want = append(want, a.text...)
	}
	if got := date.ReplaceAll(o.bytes(), nil); !bytes.Equal(got, want) {
		say("found the bytes %q, expected %q", short(got), short(want))
	} else {
		problems = append(problems, p.judgeTimes(o)...)
	}
	if o.end != p.end {
		say("it ended with %s, expected %s", o.end, p.end)
	}
	if late := o.endAt - p.endAt; late < 0 || late > proofLate {
		say("it ended after %v, expected %v", o.endAt, p.endAt)
	}
	if commits != p.commits {
		say("found %d %s, expected %d", commits, eventlog.EffectCommitted, p.commits)
	}
	if p.unsent != (o.sent < o.toSend) {
		say("%d of %d bytes could be sent", o.sent, o.toSend)
	}
	return problems
}

// judgeTimes holds the first byte of each text to its time.
func (p *proof) judgeTimes(o *observed) (problems []string) {
	for i, at := range p.arrivals(o) {
		if late := at - p.want[i].at; late < 0 || late > proofLate {
			problems = append(problems, fmt.Sprintf("text %d came after %v, expected %v", i+1, at, p.want[i].at))
		}
	}
	return problems
}

// arrivals is when the first byte of each text came. Dates are in what came,
// and in no text.
func (p *proof) arrivals(o *observed) []time.Duration {
	dates := date.FindAllIndex(o.bytes(), -1)
	list := make([]time.Duration, len(p.want))
	place := 0
	for i, a := range p.want {
		for len(dates) > 0 && dates[0][0] < place {
			place += dates[0][1] - dates[0][0]
			dates = dates[1:]
		}
		list[i] = o.arrivalOf(place)
		place += len(a.text)
	}
	return list
}

// arrivalOf is when the byte at a place came.
func (o *observed) arrivalOf(place int) time.Duration {
	for i := len(o.pieces) - 1; i >= 0; i-- {
		if o.pieces[i].from <= place {
			return o.pieces[i].at
		}
	}
	return 0
}

// latest is the largest lateness of a text or of the end.
func (p *proof) latest(o *observed) time.Duration {
	late := o.endAt - p.endAt
	if p.end == "open" || p.end == "timeout" {
		late = 0
	}
	for i, at := range p.arrivals(o) {
		late = max(late, at-p.want[i].at)
	}
	return late
}

func short(b []byte) []byte {
	if len(b) > 600 {
		return append(bytes.Clone(b[:600]), "…"...)
	}
	return b
}
