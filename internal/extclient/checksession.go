package extclient

import (
	"context"
	"sync/atomic"

	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// CheckSession is an adapter under examination: it is made its calls as in a run, and
// can be told what a run never says.
type CheckSession struct {
	Variant variants.Variant

	session *session
	parted  atomic.Bool
	after   atomic.Int64 // lines since it was dismissed
}

// StartCheckSession starts an adapter as StartAdapter does.
func StartCheckSession(ctx context.Context, name string, argv []string, o AdapterOptions) (*CheckSession, error) {
	t := &CheckSession{}
	s, err := startSession(ctx, name, argv, o, func([]byte) {
		if t.parted.Load() {
			t.after.Add(1)
		}
	})
	if err != nil {
		return nil, err
	}
	t.session, t.Variant = s, s.variant(argv, o.AtOnce)
	return t, nil
}

// Say sends any message.
func (t *CheckSession) Say(message any) { t.session.send(message) }

// ExitReport is how an adapter took its leave.
type ExitReport struct {
	ByItself bool   // in time, without being killed
	How      string // like "exit status 0"
	Lines    int64  // that it still wrote
	Stderr   string // the end of what it wrote there
}

// Dismiss ends it: with shutdown, or only by the end of its input.
func (t *CheckSession) Dismiss(shutdown bool) ExitReport {
	t.parted.Store(true)
	f := ExitReport{ByItself: t.session.dismiss(shutdown), How: "nothing"}
	select {
	case <-t.session.peer.ended:
		f.How = t.session.peer.how()
	default:
	}
	f.Lines, f.Stderr = t.after.Load(), t.session.peer.wrote()
	return f
}
