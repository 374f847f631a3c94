package labserver

import (
	"bytes"
	"errors"
	"io"
	"net"
	"syscall"
	"time"
)

// observed is what the socket saw.
type observed struct {
	pieces []piece
	total  int
	end    string
	endAt  time.Duration
	sent   int
	toSend int
	reset  bool  // told to a write; the read after it then sees an end without a reason
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
			if o.reset {
				o.end = "rst"
			}
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
		text := []byte(says[0].text) // megabytes, whose copy is no time of the write's
		c.SetWriteDeadline(time.Now().Add(proofDial))
		n, err := c.Write(text)
		o.reset = o.reset || errors.Is(err, syscall.ECONNRESET)
		o.sent, o.toSend = o.sent+n, o.toSend+len(text)
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
