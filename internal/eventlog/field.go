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

// always is which fields a kind carries even when they are zero, by the table
// of Descriptions.
var always = func() map[Kind]fieldSet {
	sets := map[Kind]fieldSet{}
	for _, d := range Descriptions {
		for _, name := range d.Always {
			if f := slices.Index(fieldNames[:], name); f >= 0 {
				sets[d.Kind] |= 1 << f
			}
		}
	}
	return sets
}()
