package labserver

import "time"

// awaitGate tells whether the operation's gate was released before the
// experiment ended.
func (a *approach) awaitGate() bool {
	g := a.x.gates.of(a.op)
	for {
		from, ok, changed := g.take()
		if ok {
			return true
		}
		if !a.awaitChange(from, changed) {
			return false
		}
	}
}

func (a *approach) awaitChange(from time.Time, changed <-chan struct{}) bool {
	var due <-chan time.Time
	if !from.IsZero() {
		a.x.nudge.At(from)
		t := time.NewTimer(time.Until(from))
		defer t.Stop()
		due = t.C
	}
	select {
	case <-due:
		return true
	case <-changed:
		return true
	case <-a.x.ended:
		return false
	}
}
