package eventlog

import "slices"

// field is one numeric or boolean field of an Event that some kinds carry even
// when it is zero.
type field uint8

const (
	attemptField field = iota
	exchangeField
	remainingField
	plannedField
	dueField
	lateField
	statusField
	bytesField
	totalField
	countField
	reusedField
	fieldCount
)

var fieldNames = [fieldCount]string{"attempt", "exchange", "remaining_ms", "planned_ms", "due_ns", "late_ms",
	"status", "bytes", "total", "count", "reused"}

// fieldKeys is how each field is written after another one: ,"name":
var fieldKeys = func() (keys [fieldCount]string) {
	for f, name := range fieldNames {
		keys[f] = `,"` + name + `":`
	}
	return keys
}()

// fieldSet is a set of fields.
type fieldSet uint16

func (s fieldSet) has(f field) bool { return s&(1<<f) != 0 }

// written is how a known kind is written.
type written struct {
	fields fieldSet // those it carries even when they are zero
	text   string   // ,"event":"name"
}

// always is how every kind of the table of Descriptions is written.
var always = func() map[Kind]written {
	all := map[Kind]written{}
	for _, d := range Descriptions {
		w := written{text: `,"event":"` + string(d.Kind) + `"`}
		for _, name := range d.Always {
			if f := slices.Index(fieldNames[:], name); f >= 0 {
				w.fields |= 1 << f
			}
		}
		all[d.Kind] = w
	}
	return all
}()
