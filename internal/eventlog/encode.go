package eventlog

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// AppendJSON appends e as one JSON object without a newline. Zero fields are
// left out unless e's kind always carries them (see Descriptions). Milliseconds
// are rounded to three decimals; NaN is written as 0 and a value beyond ±9e12
// as that bound. It allocates nothing beyond dst.
func AppendJSON(dst []byte, e *Event) []byte {
	kind := always[e.Kind]
	l := line{dst: dst, always: kind.fields}
	l.head(e)
	l.number(attemptField, int64(e.Attempt))
	l.number(exchangeField, int64(e.Exchange))
	if kind.text != "" {
		l.dst = append(l.dst, kind.text...)
	} else {
		l.text(`,"event":`, string(e.Kind))
	}
	switch {
	case e.Kind == LogOpened && e.Header != nil:
		l.header(e.Header)
	case e.Kind == OperationStarted && e.Start != nil:
		l.start(e.Start)
	case e.Kind == LeaksCounted && e.Leaks != nil:
		l.leaks(e.Leaks)
	}
	l.numbers(e)
	l.texts(e)
	return append(l.dst, '}')
}

// line is one event being written.
type line struct {
	dst    []byte
	always fieldSet
}

func (l *line) head(e *Event) {
	l.dst = append(l.dst, `{"seq":`...)
	l.dst = strconv.AppendUint(l.dst, e.Seq, 10)
	l.whole(`,"t_ns":`, e.TNs)
	if e.AtNs != 0 {
		l.whole(`,"at_ns":`, e.AtNs)
	}
	if e.Kind != LogOpened || e.Header == nil {
		l.optional(`,"experiment":`, e.Exp)
	}
	l.optional(`,"op":`, e.Op)
}

func (l *line) numbers(e *Event) {
	l.ms(remainingField, e.RemainingMs)
	l.ms(plannedField, e.PlannedMs)
	l.number(dueField, e.DueNs)
	l.ms(lateField, e.LateMs)
	l.number(statusField, int64(e.Status))
	l.number(bytesField, e.Bytes)
	l.number(totalField, e.Total)
	l.number(countField, e.Count)
	if e.Reused || l.always.has(reusedField) {
		l.dst = append(l.dst, fieldKeys[reusedField]...)
		l.dst = strconv.AppendBool(l.dst, e.Reused)
	}
}

func (l *line) texts(e *Event) {
	l.optional(`,"conn":`, e.Conn)
	l.optional(`,"limit":`, e.Limit)
	l.optional(`,"fault":`, e.Fault)
	l.optional(`,"gate":`, e.Gate)
	l.optional(`,"key":`, e.Key)
	l.optional(`,"how":`, e.How)
	l.optional(`,"by":`, e.By)
	l.optional(`,"outcome":`, string(e.Outcome))
	l.optional(`,"last":`, string(e.Last))
	l.optional(`,"error_type":`, e.ErrorType)
	l.optional(`,"error":`, e.Error)
	l.optional(`,"cause":`, e.Cause)
}

func (l *line) header(h *Header) {
	l.text(`,"schema":`, h.Schema)
	l.text(`,"schema_version":`, h.SchemaVersion)
	l.text(`,"side":`, h.Side)
	l.text(`,"experiment":`, h.Experiment)
	l.optional(`,"scenario":`, h.Scenario)
	l.text(`,"clock":`, h.Clock)
	l.text(`,"boot_id":`, h.BootID)
}

func (l *line) start(s *Start) {
	l.text(`,"scenario":`, s.Scenario)
	l.text(`,"variant":`, s.Variant)
	l.text(`,"label":`, s.Label)
	l.whole(`,"repeat":`, int64(s.Repeat))
	l.whole(`,"index":`, int64(s.Index))
	l.text(`,"phase":`, string(s.Phase))
	l.dst = appendMs(append(l.dst, `,"budget_ms":`...), s.BudgetMs)
	l.whole(`,"deadline_ns":`, s.DeadlineNs)
	l.optional(`,"for":`, s.For)
	if s.T0Ns != 0 {
		l.whole(`,"t0_ns":`, s.T0Ns)
	}
	l.optional(`,"group":`, s.Group)
	if s.Caller != 0 {
		l.whole(`,"caller":`, int64(s.Caller))
	}
	l.optional(`,"client":`, s.Client)
	if s.Blind {
		l.dst = append(l.dst, `,"blind":true`...)
	}
	if s.Heard {
		l.dst = append(l.dst, `,"heard":true`...)
	}
}

func (l *line) leaks(k *Leaks) {
	l.text(`,"scenario":`, k.Scenario)
	l.text(`,"variant":`, k.Variant)
	l.text(`,"label":`, k.Label)
	l.whole(`,"goroutines":`, int64(k.Goroutines))
	l.whole(`,"connections":`, int64(k.Connections))
	l.whole(`,"dials":`, int64(k.Dials))
	l.whole(`,"slots":`, int64(k.Slots))
	l.whole(`,"handlers":`, int64(k.Handlers))
	l.whole(`,"server_connections":`, int64(k.ServerConnections))
	l.optional(`,"probe":`, k.Probe)
}

func (l *line) whole(key string, n int64) {
	l.dst = strconv.AppendInt(append(l.dst, key...), n, 10)
}

func (l *line) number(f field, n int64) {
	if n != 0 || l.always.has(f) {
		l.whole(fieldKeys[f], n)
	}
}

func (l *line) ms(f field, ms float64) {
	if ms != 0 || l.always.has(f) {
		l.dst = appendMs(append(l.dst, fieldKeys[f]...), ms)
	}
}

func (l *line) text(key, s string) {
	l.dst = appendString(append(l.dst, key...), s)
}

func (l *line) optional(key, s string) {
	if s != "" {
		l.text(key, s)
	}
}

const maxMs = 9e12

// appendMs writes at most three decimals.
func appendMs(dst []byte, ms float64) []byte {
	if ms != ms {
		ms = 0
	}
	us := int64(math.Round(max(-maxMs, min(maxMs, ms)) * 1000))
	if us < 0 {
		dst, us = append(dst, '-'), -us
	}
	dst = strconv.AppendInt(dst, us/1000, 10)
	rest := us % 1000
	if rest == 0 {
		return dst
	}
	digits := [4]byte{'.', byte('0' + rest/100), byte('0' + rest/10%10), byte('0' + rest%10)}
	n := len(digits)
	for digits[n-1] == '0' {
		n--
	}
	return append(dst, digits[:n]...)
}

// special are the bytes that a JSON string cannot hold as they are, or that
// have to be looked at.
var special = func() (set [256]bool) {
	for c := range set {
		set[c] = c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\'
	}
	return set
}()

// appendString writes s as a JSON string; invalid UTF-8 becomes U+FFFD.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		if special[s[i]] {
			return append(appendEscaped(append(dst, s[:i]...), s[i:]), '"')
		}
	}
	return append(append(dst, s...), '"')
}

// appendEscaped is the rest of a string from its first special byte on.
func appendEscaped(dst []byte, s string) []byte {
	plain := 0 // start of what is not yet copied
	for i := 0; i < len(s); {
		c := s[i]
		if !special[c] {
			i++
			continue
		}
		size := 1
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if size = n; r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
		}
		dst = appendEscape(append(dst, s[plain:i]...), c)
		i += size
		plain = i
	}
	return append(dst, s[plain:]...)
}

const hex = "0123456789abcdef"

func appendEscape(dst []byte, c byte) []byte {
	switch {
	case c == '"' || c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, `\n`...)
	case c == '\t':
		return append(dst, `\t`...)
	case c >= utf8.RuneSelf:
		return append(dst, "\uFFFD"...)
	default:
		return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
	}
}
