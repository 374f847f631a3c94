package eventlog

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every field of an event comes back, alone and with others, and every one that
// does not fit.
func TestPackedKeepsEveryField(t *testing.T) {
	events := []Event{{}, {Attempt: -1}, {Exchange: 1 << 40}, {Status: 1 << 20}, {Count: 3, Op: "o", Kind: EventsLost, Exp: "x", Seq: 7, TNs: 8}}
	all := reflect.TypeFor[Event]()
	var full Event
	for i := range all.NumField() {
		var one Event
		setField(reflect.ValueOf(&one).Elem().Field(i))
		setField(reflect.ValueOf(&full).Elem().Field(i))
		events = append(events, one, full)
	}
	checkPacked(t, events)
}

// More different texts than there are names for, over several lots.
func TestPackedTakesAnyTexts(t *testing.T) {
	events := make([]Event, 1<<16+2*lotSize+1)
	for i := range events {
		events[i] = Event{Seq: uint64(i), Op: fmt.Sprint("op", i), Fault: fmt.Sprint("fault", i), Kind: Kind(fmt.Sprint("kind", i%7))}
	}
	checkPacked(t, events)
}

func checkPacked(t *testing.T, events []Event) {
	t.Helper()
	var p Packed
	for i := range events {
		p.Add(&events[i])
	}
	if p.Len() != len(events) {
		t.Fatalf("%d of %d", p.Len(), len(events))
	}
	for i, want := range events {
		got := p.At(i)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("event %d: %s", i, diff)
		}
		seq, tNs := p.Place(i)
		if p.Op(i) != want.Op || p.Kind(i) != want.Kind || p.Exp(i) != want.Exp || seq != want.Seq || tNs != want.TNs {
			t.Errorf("event %d: %s %s %s %d %d", i, p.Op(i), p.Kind(i), p.Exp(i), seq, tNs)
		}
	}
}
