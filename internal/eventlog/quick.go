package eventlog

// quick decodes a line whose keys are Event's own, whose strings are plain
// ASCII without escapes and whose numbers have no exponent. false means that
// the line is anything else, also when it is wrong: e is then to be thrown away.
func (d *decoder) quick(line []byte, e *Event) bool {
	if len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' {
		return false
	}
	rest := line[1 : len(line)-1]
	for {
		key, after, ok := plainString(rest)
		if !ok || len(after) == 0 || after[0] != ':' {
			return false
		}
		value, after, ok := token(after[1:])
		if !ok || !d.set(e, key, value) {
			return false
		}
		if len(after) == 0 {
			return e.Kind != "" && e.Kind != LogOpened && e.Kind != OperationStarted && e.Kind != LeaksCounted
		}
		if after[0] != ',' {
			return false
		}
		rest = after[1:]
	}
}

// plainString splits "text" off s, without its quotes.
func plainString(s []byte) (text, rest []byte, ok bool) {
	if len(s) == 0 || s[0] != '"' {
		return nil, nil, false
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return s[1:i], s[i+1:], true
		case c < ' ' || c > '~' || c == '\\':
			return nil, nil, false
		}
	}
	return nil, nil, false
}

// token splits one value off s: a plain string with its opening quote kept, so
// that set can tell it from a bare word, or everything up to the next comma.
func token(s []byte) (value, rest []byte, ok bool) {
	if len(s) > 0 && s[0] == '"' {
		text, rest, ok := plainString(s)
		return s[:len(text)+1], rest, ok
	}
	for i, c := range s {
		if c == ',' {
			return s[:i], s[i:], true
		}
	}
	return s, nil, true
}

// set stores one value. false: unknown key, or not this key's plain type.
func (d *decoder) set(e *Event, key, value []byte) bool {
	switch string(key) {
	case "seq":
		return whole(value, &e.Seq)
	case "t_ns":
		return whole(value, &e.TNs)
	case "at_ns":
		return whole(value, &e.AtNs)
	case "op":
		return d.text(value, &e.Op)
	case "event":
		return kind(value, &e.Kind)
	case "experiment":
		return d.text(value, &e.Exp)
	case "attempt":
		return whole(value, &e.Attempt)
	case "exchange":
		return whole(value, &e.Exchange)
	case "conn":
		return d.text(value, &e.Conn)
	case "remaining_ms":
		return decimal(value, &e.RemainingMs)
	case "planned_ms":
		return decimal(value, &e.PlannedMs)
	case "due_ns":
		return whole(value, &e.DueNs)
	case "late_ms":
		return decimal(value, &e.LateMs)
	case "status":
		return whole(value, &e.Status)
	case "bytes":
		return whole(value, &e.Bytes)
	case "total":
		return whole(value, &e.Total)
	case "count":
		return whole(value, &e.Count)
	case "reused":
		return boolean(value, &e.Reused)
	}
	return d.setText(e, key, value)
}

func (d *decoder) setText(e *Event, key, value []byte) bool {
	switch string(key) {
	case "limit":
		return d.text(value, &e.Limit)
	case "fault":
		return d.text(value, &e.Fault)
	case "gate":
		return d.text(value, &e.Gate)
	case "key":
		return d.text(value, &e.Key)
	case "how":
		return d.text(value, &e.How)
	case "by":
		return d.text(value, &e.By)
	case "outcome":
		return d.text(value, (*string)(&e.Outcome))
	case "last":
		return d.text(value, (*string)(&e.Last))
	case "error_type":
		return d.text(value, &e.ErrorType)
	case "error":
		return d.text(value, &e.Error)
	case "cause":
		return d.text(value, &e.Cause)
	}
	return false
}

// sharedStrings bounds what a decoder remembers.
const sharedStrings = 1 << 16

func (d *decoder) text(value []byte, to *string) bool {
	if len(value) == 0 || value[0] != '"' {
		return false
	}
	text := value[1:]
	if shared, ok := d.seen[string(text)]; ok {
		*to = shared
		return true
	}
	*to = string(text)
	if d.seen != nil && len(d.seen) < sharedStrings {
		d.seen[*to] = *to
	}
	return true
}

// kind uses the string of the table, so that known kinds cost no memory.
func kind(value []byte, to *Kind) bool {
	if len(value) == 0 || value[0] != '"' {
		return false
	}
	known, ok := kindNames[string(value[1:])]
	if !ok {
		known = Kind(value[1:])
	}
	*to = known
	return true
}

var kindNames = func() map[string]Kind {
	names := map[string]Kind{}
	for _, d := range Descriptions {
		names[string(d.Kind)] = d.Kind
	}
	return names
}()

func boolean(value []byte, to *bool) bool {
	*to = string(value) == "true"
	return *to || string(value) == "false"
}

// whole takes JSON integers of at most 18 digits.
func whole[T int | int64 | uint64](value []byte, to *T) bool {
	n, decimals, ok := digits(value)
	if !ok || decimals >= 0 || (n < 0 && T(0)-1 > 0) {
		return false
	}
	*to = T(n)
	return true
}

// powers of ten that a float64 holds exactly.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6}

// exact is the limit below which every integer is a float64.
const exact = 1 << 53

// decimal takes JSON numbers whose digits and divisor are both exact as
// float64, so that their quotient is the correctly rounded value.
func decimal(value []byte, to *float64) bool {
	n, decimals, ok := digits(value)
	if !ok || decimals >= len(powers) || n <= -exact || n >= exact {
		return false
	}
	*to = float64(n) / powers[max(decimals, 0)]
	return true
}

// digits reads -?(0|[1-9][0-9]*)(\.[0-9]+)? of at most 18 digits as an integer
// and the number of decimals, -1 when there is no point. A minus before zero is
// left to encoding/json: it is not the integer 0.
func digits(value []byte) (n int64, decimals int, ok bool) {
	text := value
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 18 || (text[0] == '0' && len(text) > 1 && text[1] != '.') {
		return 0, 0, false
	}
	decimals = -1
	for i, c := range text {
		switch {
		case c == '.' && decimals < 0 && i > 0 && i < len(text)-1:
			decimals = 0
			continue
		case c < '0' || c > '9':
			return 0, 0, false
		case decimals >= 0:
			decimals++
		}
		n = n*10 + int64(c-'0')
	}
	if negative {
		return -n, decimals, n != 0
	}
	return n, decimals, true
}
