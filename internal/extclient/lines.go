package extclient

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxLine bounds a line of a client in bytes, its end included.
const maxLine = 64 << 10

// lines reads what a client writes, line by line.
type lines struct{ r *bufio.Reader }

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, maxLine)} }

// next is the next line without its end; it is valid until the next call. The
// rest of a line that is too long is not read. io.EOF comes after the last
// line; a last line without an end is a violation.
func (l *lines) next() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	switch {
	case err == nil:
		return line[:len(line)-1], nil
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, violationf(fmt.Sprintf("at most %d bytes before the end of a line", maxLine), "a line that begins with %s", excerpt(line[:shown/2]))
	case len(line) > 0:
		return nil, violationf("an end of line after each JSON object", "%s at the end of its output", excerpt(line))
	case errors.Is(err, io.EOF):
		return nil, io.EOF
	}
	return nil, err
}

// object is one JSON object by its exact keys.
type object map[string]json.RawMessage

const oneObject = "one JSON object on each line"

// parseObject reads a line strictly: one object, UTF-8, each key once, nothing
// after it. What the values are is left to read.
func parseObject(line []byte) (object, error) {
	if !utf8.Valid(line) {
		return nil, violationf("UTF-8", "%s", excerpt(line))
	}
	d := json.NewDecoder(bytes.NewReader(line))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return nil, violationf(oneObject, "%s", excerpt(line))
	}
	o := object{}
	for d.More() {
		if err := o.member(d, line); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, violationf(oneObject, "%s", excerpt(line))
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, violationf(oneObject, "%s", excerpt(line))
	}
	return o, nil
}

func (o object) member(d *json.Decoder, line []byte) error {
	token, err := d.Token()
	key, isText := token.(string)
	var value json.RawMessage
	if err != nil || !isText || d.Decode(&value) != nil {
		return violationf(oneObject, "%s", excerpt(line))
	}
	if _, twice := o[key]; twice {
		return violationf("each key once", "the key %s twice in %s", excerpt([]byte(key)), excerpt(line))
	}
	o[key] = value
	return nil
}

// reader reads the members of an object and keeps the first error.
type reader struct {
	object
	err error
}

// read takes the member of that key. One that is absent or null leaves into as
// it is; it tells whether there was one.
func read[T any](r *reader, key, expected string, into *T) bool {
	value, there := r.object[key]
	if !there || string(value) == "null" {
		return false
	}
	if err := json.Unmarshal(value, into); err != nil {
		r.refuse(key, value, expected)
	}
	return true
}

func (r *reader) refuse(key string, value []byte, expected string) {
	if r.err == nil {
		r.err = violationf(expected, "%q: %s", key, asWritten(value))
	}
}

// missing refuses an object without a member that has to be there.
func (r *reader) missing(key, expected string) {
	if r.err == nil {
		r.err = violationf(expected, "no %q", key)
	}
}

func (r *reader) text(key string, into *string) bool { return read(r, key, "a text", into) }

// whole reads a whole number from least to most.
func (r *reader) whole(key string, least, most int64, into *int64) bool {
	expected := fmt.Sprintf("a whole number from %d to %d", least, most)
	there := read(r, key, expected, into)
	if there && r.err == nil && (*into < least || *into > most) {
		r.refuse(key, r.object[key], expected)
	}
	return there
}
