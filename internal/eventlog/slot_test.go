package eventlog

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every field of an event comes back from the recorder, alone and with others.
func TestSlotsKeepEveryField(t *testing.T) {
	all := reflect.TypeFor[Event]()
	var full Event
	for i := range all.NumField() {
		var one Event
		for _, e := range []*Event{&one, &full} {
			setField(reflect.ValueOf(e).Elem().Field(i))
			roundTrip(t, all.Field(i).Name, *e)
		}
	}
	for _, e := range []Event{{Attempt: -1}, {Exchange: 1 << 40}, {Status: -1 << 40}} {
		roundTrip(t, "out of range", e)
	}
}

func setField(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Uint64:
		v.SetUint(7)
	default:
		v.SetInt(7)
	}
}

func roundTrip(t *testing.T, field string, e Event) {
	t.Helper()
	var s slot
	s.fill(&e)
	s.seq, s.tNs = e.Seq, e.TNs
	if e.Exp == "" {
		e.Exp = "x"
	}
	if diff := cmp.Diff(e, s.event("x")); diff != "" {
		t.Errorf("%s: %s", field, diff)
	}
	s.discard()
}
