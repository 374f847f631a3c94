package timeline

import "github.com/deadlinelab/deadlinelab/internal/eventlog"

// Events are those of one side, however they are kept: *eventlog.Packed is one
// way. Op, Kind, Exp and Place are parts of At.
type Events interface {
	Len() int
	At(i int) eventlog.Event
	Op(i int) string
	Kind(i int) eventlog.Kind
	Exp(i int) string
	Place(i int) (seq uint64, tNs int64)
}

// literal is Events as a slice.
type literal []eventlog.Event

func (l literal) Len() int                          { return len(l) }
func (l literal) At(i int) eventlog.Event           { return l[i] }
func (l literal) Op(i int) string                   { return l[i].Op }
func (l literal) Kind(i int) eventlog.Kind          { return l[i].Kind }
func (l literal) Exp(i int) string                  { return l[i].Exp }
func (l literal) Place(i int) (seq uint64, t int64) { return l[i].Seq, l[i].TNs }

// events is a side's, from whichever field of Input has them.
func events(slice []eventlog.Event, log Events) Events {
	if log != nil {
		return log
	}
	return literal(slice)
}
