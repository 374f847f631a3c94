package labserver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/fault"
	"github.com/deadlinelab/deadlinelab/internal/socket"
)

const (
	// lingers is how long a connection that was ended goes on being read.
	lingers = 5 * time.Second
	// unsentFor is how long a reset waits for what was sent to be acknowledged.
	unsentFor = 2 * time.Second
)

// wire is the connection of an exchange whose fault has taken it over.
type wire struct {
	*exchange
	sent  sent
	from  io.Reader     // what net/http had read already, then the connection
	read  chan struct{} // closed when nothing more will be read; nil = nobody reads
	ended bool          // by End, Close, Reset or KeepOpen
}

var _ fault.Wire = (*wire)(nil)

var errTakenTooLate = errors.New("the connection can only be taken over first")

// TakeOver hands the connection to the fault.
func (ex *exchange) TakeOver() (fault.Wire, error) {
	if ex.reading != nil || ex.head != 0 || ex.wire != nil {
		return nil, errTakenTooLate
	}
	_, buffered, err := ex.control.Hijack()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", fault.ErrClientGone, err)
	}
	early := make([]byte, buffered.Reader.Buffered())
	if _, err := io.ReadFull(buffered, early); err != nil {
		return nil, err
	}
	w := &wire{exchange: ex, from: io.MultiReader(bytes.NewReader(early), ex.conn), sent: sent{length: -1, none: ex.request.Method == http.MethodHead}}
	ex.wire = w
	if fault.ReadingOf(ex.fault, ex.number) == fault.Beside {
		w.receive()
	} else {
		ex.beside(w.watch)
	}
	return w, nil
}

// receive reads what the client sends until it leaves.
func (w *wire) receive() {
	w.read = make(chan struct{})
	w.beside(func() {
		defer close(w.read)
		if n, _ := io.CopyN(io.Discard, w.from, fault.MaxBodyBytes+maxHeaderBytes); n == fault.MaxBodyBytes+maxHeaderBytes {
			w.conn.Close()
		}
	})
}

// Receive reads for the script.
func (w *wire) Receive(p []byte) (int, error) {
	n, err := w.from.Read(p)
	if err != nil {
		err = fmt.Errorf("%w: %w", fault.ErrClientGone, err)
	}
	return n, err
}

// Pause arms the fault and waits for its due time.
func (w *wire) Pause(due time.Time) error { return w.wait(due) }

// Send writes p and records what it was. To a HEAD it sends no byte of a body,
// which its client would take for the answer to its next request.
func (w *wire) Send(p []byte) error {
	if w.conn.gone() {
		w.Fired()
		return fault.ErrClientGone
	}
	now := w.sent.add(p)
	if now.prepared {
		w.record(eventlog.Event{Kind: eventlog.ServerHeadersPrepared, Status: w.sent.status})
	}
	w.answering()
	began := w.conn.push()
	_, err := w.conn.Write(p[:len(p)-now.over])
	w.fired(began)
	if err != nil {
		return fmt.Errorf("%w: %w", fault.ErrClientGone, err)
	}
	w.note(now)
	return nil
}

// answering is called just before a write: the client may leave once it has the
// whole answer. One that was told that the connection ends may be the first to
// end it, and it is the server's end all the same.
func (w *wire) answering() {
	switch {
	case !w.sent.complete(0):
	case w.sent.closes:
		w.conn.finish("fin")
	default:
		w.conn.answered()
	}
}

func (w *wire) note(now progress) {
	if now.head {
		w.record(eventlog.Event{Kind: eventlog.ServerHeadersWritten, Status: w.sent.status})
	}
	if now.body > 0 {
		w.record(eventlog.Event{Kind: eventlog.ServerBodyWritten, Bytes: now.body, Total: w.sent.body})
	}
	if w.sent.complete(0) && (now.head || now.body > 0) {
		w.record(eventlog.Event{Kind: eventlog.ServerBodyFinished, Total: w.sent.body})
	}
}

// End sends a FIN and closes the connection when the client has, or does not
// for too long.
func (w *wire) End() error {
	w.ended = true
	w.conn.finish("fin")
	err := w.conn.closeWrite()
	w.Fired()
	if err != nil {
		w.conn.Close()
		return nil // the client was faster
	}
	if w.read == nil {
		w.receive()
	}
	w.beside(w.linger)
	return nil
}

func (w *wire) linger() {
	limit := time.NewTimer(lingers)
	defer limit.Stop()
	select {
	case <-w.read:
	case <-limit.C:
	case <-w.x.ended:
	}
	w.conn.Close()
}

// Close closes whatever is unread.
func (w *wire) Close() error {
	w.ended = true
	how := "fin"
	if socket.Unread(w.conn.Conn) > 0 {
		how = "rst"
	}
	w.conn.finish(how)
	w.conn.Close()
	w.Fired()
	return nil
}

// Reset sends a RST after everything that was sent.
func (w *wire) Reset() error {
	w.ended = true
	w.conn.finish("rst")
	began := w.conn.push()
	w.acknowledged()
	w.conn.abruptly()
	w.conn.Close()
	w.fired(began)
	return nil
}

// acknowledged waits until the client's system has everything.
func (w *wire) acknowledged() {
	if unsent(w.conn.Conn) > 0 {
		defer w.conn.hold()
	}
	limit := time.Now().Add(unsentFor)
	for wait := 50 * time.Microsecond; socket.Unacknowledged(w.conn.Conn) > 0 && time.Now().Before(limit); wait = min(2*wait, time.Millisecond) {
		select {
		case <-time.After(wait):
		case <-w.conn.left:
			return
		case <-w.x.ended:
			return
		}
	}
}

// KeepOpen waits for the client.
func (w *wire) KeepOpen() error {
	w.ended = true
	select {
	case <-w.conn.left:
		w.conn.Close()
		return nil
	case <-w.x.ended:
		return fault.ErrClosed
	}
}

// abandon closes a connection that the script left as it was.
func (w *wire) abandon() {
	if !w.ended {
		w.conn.Close()
	}
}

// watchEvery is how often a connection that nobody reads is looked at.
const watchEvery = 10 * time.Millisecond

// watch notices that the client has left a connection that nobody reads: its
// reset, or its FIN if that has been received. One that waits behind unread
// data is invisible to any server.
func (w *wire) watch() {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-w.conn.left:
			return
		case <-w.x.ended:
			return
		}
		if how, known := socket.StateOf(w.conn.Conn); how != "" {
			w.conn.departed(how)
			return
		} else if !known {
			return
		}
	}
}
