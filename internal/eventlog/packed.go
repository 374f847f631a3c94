package eventlog

import "math"

// Packed is a list of events in little memory: 112 bytes each, without
// pointers, beside each different text once. It is filled by one goroutine;
// reading it changes nothing.
type Packed struct {
	lots  [][]packed // of lotSize each
	n     int
	words table   // op, conn, gate, error: many different ones
	names table   // texts of which there are few
	odd   []Event // those that do not fit
}

// lotSize keeps one allocation below 2 MB, so that growing copies nothing.
const lotSize = 1 << 14

// packed is one event. Texts are places in the tables.
type packed struct {
	seq                      uint64
	tNs, dueNs               int64
	remainMs, plannedMs      float64
	lateMs                   float64
	bytes, total             int64
	attempt, exchange        int32
	op, conn, gate, error    uint32
	odd                      uint32 // place in odd plus one, 0 = not odd
	status                   uint16
	kind, exp                uint16
	limit, fault, how, by    uint16
	outcome, last, errorType uint16
	cause                    uint16
	reused                   bool
}

// table gives texts numbers. The empty text is 0.
type table struct {
	texts []string
	index map[string]uint32
}

func (t *table) of(text string) uint32 {
	if text == "" {
		return 0
	}
	if i, known := t.index[text]; known {
		return i
	}
	if t.index == nil {
		t.index, t.texts = map[string]uint32{}, []string{""}
	}
	i := uint32(len(t.texts))
	t.texts, t.index[text] = append(t.texts, text), i
	return i
}

func (t *table) text(i uint32) string {
	if i == 0 {
		return ""
	}
	return t.texts[i]
}

// Add appends a copy of e.
func (p *Packed) Add(e *Event) {
	if p.n%lotSize == 0 {
		p.lots = append(p.lots, make([]packed, lotSize))
	}
	slot := p.at(p.n)
	p.n++
	if !p.fits(e) {
		p.odd = append(p.odd, *e)
		slot.odd = uint32(len(p.odd))
		return
	}
	name := func(text string) uint16 { return uint16(p.names.of(text)) }
	*slot = packed{seq: e.Seq, tNs: e.TNs, dueNs: e.DueNs, remainMs: e.RemainingMs, plannedMs: e.PlannedMs, lateMs: e.LateMs,
		bytes: e.Bytes, total: e.Total, attempt: int32(e.Attempt), exchange: int32(e.Exchange), status: uint16(e.Status), reused: e.Reused,
		op: p.words.of(e.Op), conn: p.words.of(e.Conn), gate: p.words.of(e.Gate), error: p.words.of(e.Error),
		kind: name(string(e.Kind)), exp: name(e.Exp), limit: name(e.Limit), fault: name(e.Fault), how: name(e.How), by: name(e.By),
		outcome: name(string(e.Outcome)), last: name(string(e.Last)), errorType: name(e.ErrorType), cause: name(e.Cause)}
}

// mostNames leaves room for the names of one more event.
const mostNames = math.MaxUint16 - 16

func (p *Packed) fits(e *Event) bool {
	return e.AtNs == 0 && e.Start == nil && e.Leaks == nil && e.Header == nil && e.Count == 0 && e.Key == "" && len(p.names.texts) < mostNames &&
		small(e.Attempt) && small(e.Exchange) && e.Status >= 0 && e.Status <= math.MaxUint16
}

func (p *Packed) at(i int) *packed { return &p.lots[i/lotSize][i%lotSize] }

// Len is the number of events.
func (p *Packed) Len() int { return p.n }

// At is event i, from 0.
func (p *Packed) At(i int) Event {
	s := p.at(i)
	if s.odd != 0 {
		return p.odd[s.odd-1]
	}
	name := func(i uint16) string { return p.names.text(uint32(i)) }
	return Event{Seq: s.seq, TNs: s.tNs, DueNs: s.dueNs, RemainingMs: s.remainMs, PlannedMs: s.plannedMs, LateMs: s.lateMs,
		Bytes: s.bytes, Total: s.total, Attempt: int(s.attempt), Exchange: int(s.exchange), Status: int(s.status), Reused: s.reused,
		Op: p.words.text(s.op), Conn: p.words.text(s.conn), Gate: p.words.text(s.gate), Error: p.words.text(s.error),
		Kind: Kind(name(s.kind)), Exp: name(s.exp), Limit: name(s.limit), Fault: name(s.fault), How: name(s.how), By: name(s.by),
		Outcome: Outcome(name(s.outcome)), Last: Outcome(name(s.last)), ErrorType: name(s.errorType), Cause: name(s.cause)}
}

// Op is At(i).Op.
func (p *Packed) Op(i int) string {
	if s := p.at(i); s.odd == 0 {
		return p.words.text(s.op)
	}
	return p.At(i).Op
}

// Kind is At(i).Kind.
func (p *Packed) Kind(i int) Kind {
	if s := p.at(i); s.odd == 0 {
		return Kind(p.names.text(uint32(s.kind)))
	}
	return p.At(i).Kind
}

// Exp is At(i).Exp.
func (p *Packed) Exp(i int) string {
	if s := p.at(i); s.odd == 0 {
		return p.names.text(uint32(s.exp))
	}
	return p.At(i).Exp
}

// Place is At(i)'s seq and time.
func (p *Packed) Place(i int) (seq uint64, tNs int64) {
	if s := p.at(i); s.odd == 0 {
		return s.seq, s.tNs
	}
	e := p.At(i)
	return e.Seq, e.TNs
}
