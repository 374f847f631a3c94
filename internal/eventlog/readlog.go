package eventlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// MaxLine is the longest line of a log in bytes, without its newline.
const MaxLine = 1 << 20

// ErrEmpty is a log without a whole line, as a run leaves it that was ended
// before its first event.
var ErrEmpty = errors.New("found no whole line, expected an event log that begins with log_opened")

// Log is what a log file holds beside its events. A server's file holds one log
// per experiment: one header and one run of seq each.
type Log struct {
	Headers []Header
	Torn    bool  // the last line was cut off in the middle and is left out
	Foreign int   // lines that are no events of this log and are left out
	First   error // what is wrong with the first of them, with name and line
}

// ReadEach reads a log event by event, log_opened included, in the order of the
// file; name is used in errors. take must not keep the pointer. A line that is no
// event of the log is left out and counted as foreign: no JSON object, another
// schema or side, an experiment that was not opened, longer than MaxLine. A file
// without any log_opened is an error. Only the last line may be torn.
func ReadEach(name string, r io.Reader, take func(*Event)) (*Log, error) {
	l := logReader{name: name, log: &Log{}, each: take, decoder: decoder{seen: map[string]string{}}, opened: map[string]bool{}}
	lines := bufio.NewReaderSize(r, 1<<16)
	for {
		line, whole, err := nextLine(lines)
		l.n++
		switch {
		case err == io.EOF:
			return l.end()
		case err == errLongLine:
			l.drop(err, whole)
		case err != nil:
			return nil, l.errorf("%w", err)
		default:
			l.take(line, whole)
		}
	}
}

var errLongLine = fmt.Errorf("line is longer than %d bytes: this is no event", MaxLine)

// nextLine returns a line without its newline; whole is false when the file
// ended before it. The line is only valid until the next call. A line that is
// too long is passed over.
func nextLine(r *bufio.Reader) (line []byte, whole bool, err error) {
	line, err = r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		line = bytes.Clone(line)
	}
	for err == bufio.ErrBufferFull && len(line) <= MaxLine {
		var more []byte
		more, err = r.ReadSlice('\n')
		line = append(line, more...)
	}
	long := err == bufio.ErrBufferFull
	for err == bufio.ErrBufferFull {
		line, err = r.ReadSlice('\n')
	}
	line, whole = bytes.CutSuffix(line, []byte("\n"))
	switch {
	case (long || len(line) > MaxLine) && (err == nil || err == io.EOF):
		return nil, whole, errLongLine
	case err == io.EOF && len(line) > 0:
		return line, whole, nil
	}
	return line, whole, err
}

// logReader is a log being read.
type logReader struct {
	name    string
	n       int // line
	log     *Log
	each    func(*Event)
	e       Event // being read
	decoder decoder
	opened  map[string]bool // experiments
}

func (l *logReader) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: "+format, append([]any{l.name, l.n}, args...)...)
}

func (l *logReader) take(line []byte, whole bool) {
	var err error
	if l.e, err = l.decoder.decode(line); err != nil {
		l.drop(err, whole)
		return
	}
	if err = l.accept(&l.e); err != nil {
		l.drop(err, true)
		return
	}
	l.each(&l.e)
}

// drop leaves a line out and keeps what is wrong with the first one.
func (l *logReader) drop(err error, whole bool) {
	if !whole {
		l.log.Torn = true
		return
	}
	if l.log.Foreign++; l.log.First == nil {
		l.log.First = l.errorf("%w", err)
	}
}

func (l *logReader) accept(e *Event) error {
	switch {
	case e.Kind == LogOpened:
		return l.open(e.Header)
	case len(l.log.Headers) == 0:
		return fmt.Errorf("found event %q, expected log_opened: the file lacks its beginning or is no event log", e.Kind)
	case e.Op != "" && !ValidOp(e.Op):
		return fmt.Errorf("found op %q, expected %s", short(e.Op), opPattern)
	case e.Exp != "" && !l.opened[e.Exp]:
		return fmt.Errorf("event of experiment %q, which no log_opened before it names: two logs are mixed up", e.Exp)
	}
	return nil
}

func (l *logReader) open(h *Header) error {
	if err := h.check(); err != nil {
		return err
	}
	if len(l.log.Headers) > 0 && l.log.Headers[0].Side != h.Side {
		return fmt.Errorf("found a log of side %q in one of side %q: two logs are mixed up", h.Side, l.log.Headers[0].Side)
	}
	if l.opened[h.Experiment] {
		return fmt.Errorf("experiment %q is opened a second time: two logs are mixed up", h.Experiment)
	}
	l.opened[h.Experiment] = true
	l.log.Headers = append(l.log.Headers, *h)
	return nil
}

// end is the log at the end of the file.
func (l *logReader) end() (*Log, error) {
	if len(l.log.Headers) == 0 && l.log.First != nil {
		return nil, l.log.First
	}
	if len(l.log.Headers) == 0 {
		return nil, fmt.Errorf("%s: %w", l.name, ErrEmpty)
	}
	return l.log, nil
}

// check refuses what this version cannot read.
func (h *Header) check() error {
	if h.Schema != Schema {
		return fmt.Errorf("found schema %q, expected %q", h.Schema, Schema)
	}
	major, err := majorOf(h.SchemaVersion)
	if err != nil {
		return err
	}
	if ours, _ := majorOf(SchemaVersion); major > ours {
		return fmt.Errorf("schema_version %s is newer than %s, which this program reads: use a newer deadlinelab", h.SchemaVersion, SchemaVersion)
	}
	if h.Side != ClientSide && h.Side != ServerSide {
		return fmt.Errorf("found side %q, expected client or server", h.Side)
	}
	return nil
}

var errVersion = errors.New("expected a version such as " + SchemaVersion)

func majorOf(version string) (int, error) {
	text, _, _ := strings.Cut(version, ".")
	major, err := strconv.Atoi(text)
	if err != nil || major < 0 {
		return 0, fmt.Errorf("schema_version %q: %w", version, errVersion)
	}
	return major, nil
}

const opPattern = "[A-Za-z0-9_.~-]{1,96}"

// ValidOp tells whether id can be that of an operation. Ids are printed on
// terminals and are part of URLs and file names.
func ValidOp(id string) bool {
	for i := range len(id) {
		c, lower := id[i], id[i]|0x20
		if !(lower >= 'a' && lower <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("_.~-", c) >= 0) {
			return false
		}
	}
	return id != "" && len(id) <= 96
}

func short(text string) string { return text[:min(len(text), 96)] }
