package eventlog

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Decode reads one line of a log. Unknown fields and kinds are tolerated: a
// newer minor version may write them. A field of the wrong type, a line that is
// not one JSON object, or a missing "event" is an error.
func Decode(line []byte) (Event, error) {
	var d decoder
	return d.decode(line)
}

// decoder shares the strings that the lines of one log have in common.
type decoder struct {
	seen map[string]string // nil: nothing is shared
}

// decode takes the quick path for lines as AppendJSON writes them and leaves
// everything unusual to encoding/json, which alone defines what a line means.
func (d *decoder) decode(line []byte) (Event, error) {
	var e Event
	if d.quick(line, &e) {
		return e, nil
	}
	return decodeJSON(line)
}

func decodeJSON(line []byte) (Event, error) {
	var e Event
	if err := unmarshal(line, &e); err != nil {
		return Event{}, err
	}
	switch e.Kind {
	case "":
		return Event{}, errors.New(`no "event": expected a JSON object with seq, t_ns and event`)
	case LogOpened:
		return opened(e, line)
	case OperationStarted:
		e.Start = new(Start)
		return e, unmarshal(line, e.Start)
	case LeaksCounted:
		e.Leaks = new(Leaks)
		return e, unmarshal(line, e.Leaks)
	}
	return e, nil
}

// opened moves a header's experiment to where every reader looks for it: a
// client's events carry none.
func opened(e Event, line []byte) (Event, error) {
	e.Header = new(Header)
	if err := unmarshal(line, e.Header); err != nil {
		return Event{}, err
	}
	if e.Exp = ""; e.Header.Side == ServerSide {
		e.Exp = e.Header.Experiment
	}
	return e, nil
}

// unmarshal words encoding/json's errors as: what was found, what was expected.
func unmarshal(line []byte, into any) error {
	err := json.Unmarshal(line, into)
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("found a JSON %s, expected one object", wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("field %q: found a JSON %s, expected %s", wrong.Field, wrong.Value, typeName(wrong.Type.Kind().String()))
	case errors.As(err, &syntax):
		return fmt.Errorf("not a JSON object: %s at byte %d", syntax.Error(), syntax.Offset)
	}
	return err
}

func typeName(kind string) string {
	switch kind {
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	case "float64":
		return "a number"
	}
	return "a whole number"
}
