package adapter

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxLine is how long a line of the bench may be, in bytes.
const maxLine = 1 << 20

// line is a message of the bench: a Hello, an Operation, an Ask, or nil for one
// to pass over; or why there is none (io.EOF after the last one).
type line struct {
	message any
	err     error
}

// readLines sends what r holds until it ends, a line is wrong, or stop is closed.
func readLines(r io.Reader, lines chan<- line, stop <-chan struct{}) {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxLine)
	send := func(l line) bool {
		select {
		case lines <- l:
			return l.err == nil
		case <-stop:
			return false
		}
	}
	for n := 1; scanner.Scan(); n++ {
		message, err := decode(scanner.Bytes())
		if err != nil {
			err = fmt.Errorf("standard input, line %d: %w", n, err)
		}
		if !send(line{message, err}) {
			return
		}
	}
	if err := scanner.Err(); err != nil {
		send(line{err: fmt.Errorf("standard input: %w", err)})
		return
	}
	send(line{err: io.EOF})
}

// decode reads one message. Fields and types that this version does not know
// are passed over.
func decode(data []byte) (any, error) {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	switch head.Type {
	case TypeHello:
		return decodeAs(data, func(h Hello) error { return positive("protocol", h.Protocol) })
	case TypeOperation:
		return decodeAs(data, func(o Operation) error { return present("op", o.Op, "client", o.Client, "url", o.URL) })
	case TypeHoldSlot:
		return decodeAs(data, func(a Ask) error {
			if err := present("op", a.Op, "client", a.Client); err != nil {
				return err
			}
			return positive("slots", a.Slots)
		})
	case TypeRelease, TypeCancel:
		return decodeAs(data, func(a Ask) error { return present("op", a.Op) })
	case TypeClose:
		return decodeAs(data, func(a Ask) error { return present("client", a.Client) })
	case TypeShutdown:
		return decodeAs(data, func(Ask) error { return nil })
	case "":
		return nil, errors.New("no type: expected hello, operation, hold_slot, release, cancel, close or shutdown")
	}
	return Ask{Type: head.Type}, nil // of a later version: nothing is done
}

func decodeAs[M any](data []byte, check func(M) error) (any, error) {
	var m M
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	return m, check(m)
}

func present(namesAndValues ...string) error {
	for i := 0; i < len(namesAndValues); i += 2 {
		if namesAndValues[i+1] == "" {
			return fmt.Errorf("%s is missing", namesAndValues[i])
		}
	}
	return nil
}

func positive(name string, n int) error {
	if n < 1 {
		return fmt.Errorf("%s: %d, expected at least 1", name, n)
	}
	return nil
}
