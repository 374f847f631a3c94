package fault

import (
	"bytes"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/retryafter"
)

// Answer is what a client gets for one exchange, and when: from the moment the
// server has the request.
type Answer struct {
	Status  int
	Headers time.Duration // the response head is there; Never if there is none
	Body    time.Duration // its body is, or the connection has ended; Never if neither happens
	HeadGap time.Duration // longest silence between two writes from the request to the head's end
	MaxGap  time.Duration // the same to the answer's end; Forever if it falls silent for good

	// Outcome is how an attempt ends that nothing else ends, where a complete
	// head and its status do not tell: transport_error for an answer that breaks
	// off at Body, invalid_data for one that is complete and wrong.
	Outcome eventlog.Outcome

	Redirect   Redirect      // the client is sent elsewhere; it belongs to the same attempt
	RetryAfter time.Duration // the wait that the answer asks for; 0 = none
	// RetrySpread is by how much that wait may be shorter: a date has whole seconds,
	// and where in its second the request falls is known on the day alone.
	RetrySpread time.Duration

	Silent  bool          // the connection ends before the first byte of an answer
	Keeps   bool          // the connection can serve another exchange
	Says    bool          // the answer says that it cannot
	Done    time.Duration // the script has ended: a connection that is kept is not read before
	Unread  bool          // the connection is closed with some of the request's body unread
	Garbled bool          // what follows the answer is no answer
	Coded   bool          // the body cannot be decoded: wrong to a client too that does not look into it
}

// Never stands for an instant that does not come, Forever for a silence
// without end.
const (
	Never   time.Duration = -1
	Forever time.Duration = math.MaxInt64
)

// Redirect is where an answer sends the client.
type Redirect string

// Destinations of a redirect. NextHop is the same operation, with its next
// exchange; the others are addresses of that kind.
const (
	NextHop     Redirect = "next_hop"
	ToRefused   Redirect = Redirect(Refused)
	ToBlackHole Redirect = Redirect(BlackHole)
)

// Request is a request that is rehearsed.
type Request struct {
	Phase        eventlog.Phase
	Number       int       // exchange of its operation, from 1
	OnConnection int       // exchange of its connection, from 1
	Hop          int       // request of its attempt, from 1: those after the first follow a redirect
	Method       string    //
	BodyBytes    int64     //
	At           time.Time // when the server has it; for what depends on the date
}

// rehearsal is an Exchange on which no time passes: it notes what a fault does
// and when.
type rehearsal struct {
	request Request
	now     time.Time
	answer  Answer
	last    time.Duration // when something was written last
	header  http.Header
	body    bytes.Buffer
	wire    *rehearsedWire // nil unless the fault takes the connection over
}

// Rehearse is what a request gets of f: everything that is computed about a fault
// is what its Serve does. A script that waits at a gate ends there: only the
// runner knows when it will be released.
func Rehearse(f Fault, q Request) Answer {
	a, header := rehearse(f, q)
	value := header.Get("Retry-After")
	a.RetryAfter, _ = retryafter.Parse(value, q.At)
	if _, err := http.ParseTime(value); err == nil && a.RetryAfter > 0 {
		a.RetryAfter, a.RetrySpread = longestWait(f, q, a.RetryAfter)
	}
	return a
}

// longestWait is for a request that falls just where the date in its answer
// moves on by a second: between instants with one date and those with the next.
func longestWait(f Fault, q Request, wait time.Duration) (longest, spread time.Duration) {
	date := q.At.Add(wait)
	dated := func(at time.Time) time.Time {
		q.At = at
		_, header := rehearse(f, q)
		t, _ := http.ParseTime(header.Get("Retry-After"))
		return t
	}
	before, from := q.At.Add(-time.Second), q.At
	if dated(before).Equal(date) {
		return wait, 0 // the same on every day
	}
	for from.Sub(before) > 1 {
		if middle := before.Add(from.Sub(before) / 2); dated(middle).Equal(date) {
			from = middle
		} else {
			before = middle
		}
	}
	return date.Sub(from), time.Second
}

func rehearse(f Fault, q Request) (Answer, http.Header) {
	r := &rehearsal{request: q, now: q.At, answer: Answer{Headers: Never}}
	err := Serve(f, r)
	if err != nil && r.answer.Headers < 0 {
		return Answer{Headers: Never}, nil
	}
	r.answer.Done = r.now.Sub(q.At)
	if err == nil {
		r.conclude()
	}
	return r.answer, r.header
}

// conclude is what a client makes of the answer as a whole.
func (r *rehearsal) conclude() {
	r.answer.Keeps = r.wire == nil
	if r.wire != nil && !r.wire.conclude() {
		return
	}
	head := r.request.Method == http.MethodHead
	if head {
		r.answer.Body = r.answer.Headers
	}
	broken := r.header.Get("Content-Encoding") == "gzip"
	lacking := !head && !bytes.Contains(r.body.Bytes(), []byte(r.Marker()))
	r.answer.Coded = broken
	if r.answer.Status < 300 && (broken || lacking) {
		r.answer.Outcome = eventlog.InvalidData
	}
	if to := r.header.Get("Location"); to != "" {
		r.answer.Redirect = destination(to)
	}
}

func destination(location string) Redirect {
	if kind, elsewhere := strings.CutPrefix(location, "elsewhere:"); elsewhere {
		return Redirect(kind)
	}
	return NextHop
}

// wrote notes a write. The client of a HEAD waits for nothing after the head.
func (r *rehearsal) wrote() time.Duration {
	at := r.now.Sub(r.request.At)
	if r.request.Method == http.MethodHead && r.answer.Headers >= 0 {
		return r.answer.Headers
	}
	r.answer.MaxGap = max(r.answer.MaxGap, at-r.last)
	if r.answer.Headers < 0 {
		r.answer.HeadGap = r.answer.MaxGap
	}
	r.last = at
	return at
}

func (r *rehearsal) Op() string            { return "rehearsal" }
func (r *rehearsal) Number() int           { return r.request.Number }
func (r *rehearsal) OnConnection() int     { return max(r.request.OnConnection, 1) }
func (r *rehearsal) Phase() eventlog.Phase { return r.request.Phase }
func (r *rehearsal) Marker() string        { return "deadlinelab:rehearsal" }
func (r *rehearsal) Started() time.Time    { return r.request.At }
func (r *rehearsal) Fired()                {}
func (r *rehearsal) Record(eventlog.Event) {}
func (r *rehearsal) Commit() bool          { return true }

func (r *rehearsal) Request() *http.Request {
	to := &url.URL{Path: "/op/rehearsal/"}
	if r.request.Hop > 1 {
		to.Path += hopPrefix + strconv.Itoa(r.request.Hop)
	}
	return &http.Request{Method: r.request.Method, URL: to, ContentLength: r.request.BodyBytes}
}

// Hold ends the rehearsal.
func (r *rehearsal) Hold() error { return ErrClosed }

func (r *rehearsal) DelayUntil(due time.Time) error {
	if due.After(r.now) {
		r.now = due
	}
	return nil
}

func (r *rehearsal) Headers(status int, header http.Header, _ int64) error {
	r.header = header
	r.answer.Status, r.answer.Headers = status, r.wrote()
	r.answer.Body = r.answer.Headers
	return nil
}

func (r *rehearsal) Write(p []byte) error {
	r.body.Write(p)
	r.answer.Body = r.wrote()
	return nil
}

func (r *rehearsal) Finish() error {
	r.answer.Body = r.wrote()
	return nil
}

func (r *rehearsal) Elsewhere(kind ConnectionKind) (string, error) {
	return "elsewhere:" + string(kind), nil
}

func (r *rehearsal) TakeOver() (Wire, error) {
	r.wire = &rehearsedWire{rehearsal: r}
	return r.wire, nil
}
