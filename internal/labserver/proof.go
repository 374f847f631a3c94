package labserver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"syscall"
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

// observed is what the socket saw.
type observed struct {
	pieces []piece
	total  int
	end    string
	endAt  time.Duration
	sent   int
	toSend int
	err    error // nothing could be proven
}

type piece struct {
	at   time.Duration
	from int // place of its first byte
	data []byte
}

func (o *observed) bytes() []byte {
	var all []byte
	for _, p := range o.pieces {
		all = append(all, p.data...)
	}
	return all
}

// observe connects, speaks and listens.
func (p *proof) observe(addr string) *observed {
	o := &observed{}
	start := time.Now()
	patience := proofDial
	if p.release > 0 {
		patience = p.release + 4*time.Second
	}
	c, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		o.end, o.endAt = dialEnd(err), time.Since(start)
		return o
	}
	defer c.Close()
	if p.release > 0 {
		o.end, o.endAt = "open", time.Since(start)
		return o
	}
	if !p.accept {
		start = time.Now()
	}
	p.converse(c, o, start)
	return o
}

func dialEnd(err error) string {
	var timeout net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case errors.Is(err, syscall.ECONNRESET):
		return "rst"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	}
	return err.Error()
}

// converse sends what is to be said when its turn comes, and reads until the
// connection ends or has been silent long enough.
func (p *proof) converse(c net.Conn, o *observed, start time.Time) {
	says := p.speak(c, o, p.says)
	buffer := make([]byte, 64<<10)
	for {
		c.SetReadDeadline(p.silentAt(start, o))
		n, err := c.Read(buffer)
		if n > 0 {
			o.pieces = append(o.pieces, piece{at: time.Since(start), from: o.total, data: bytes.Clone(buffer[:n])})
			o.total += n
			says = p.speak(c, o, says)
		}
		if err != nil {
			o.end, o.endAt = readEnd(err), time.Since(start)
			return
		}
	}
}

// silentAt is when a connection that has nothing more to give counts as open.
func (p *proof) silentAt(start time.Time, o *observed) time.Time {
	last, size := p.endAt, 0
	for _, a := range p.want {
		last, size = max(last, a.at), size+len(a.text)
	}
	if p.end != "open" || len(date.ReplaceAll(o.bytes(), nil)) < size {
		return start.Add(last + proofLate)
	}
	quiet := time.Now()
	if due := start.Add(last); due.After(quiet) {
		quiet = due
	}
	return quiet.Add(proofQuiet)
}

// speak sends what is due after the bytes read so far.
func (p *proof) speak(c net.Conn, o *observed, says []said) []said {
	for len(says) > 0 && o.total >= says[0].after {
		c.SetWriteDeadline(time.Now().Add(proofDial))
		n, _ := io.WriteString(c, says[0].text)
		o.sent, o.toSend = o.sent+n, o.toSend+len(says[0].text)
		says = says[1:]
	}
	return says
}

func readEnd(err error) string {
	switch {
	case errors.Is(err, io.EOF):
		return "fin"
	case errors.Is(err, syscall.ECONNRESET):
		return "rst"
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return "open"
	}
	return err.Error()
}

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
