package foreign

import (
	"context"
	"sync/atomic"

	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Trial is an adapter under examination: it is made its calls as in a run, and
// can be told what a run never says.
type Trial struct {
	Variant variants.Variant

	session *session
	parted  atomic.Bool
	after   atomic.Int64 // lines since it was dismissed
}

// StartTrial starts an adapter as StartAdapter does.
func StartTrial(ctx context.Context, name string, argv []string, o AdapterOptions) (*Trial, error) {
	t := &Trial{}
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
func (t *Trial) Say(message any) { t.session.send(message) }

// Farewell is how an adapter took its leave.
type Farewell struct {
	ByItself bool   // in time, without being killed
	How      string // like "exit status 0"
	Lines    int64  // that it still wrote
	Stderr   string // the end of what it wrote there
}

// Dismiss ends it: with shutdown, or only by the end of its input.
func (t *Trial) Dismiss(shutdown bool) Farewell {
	t.parted.Store(true)
	f := Farewell{ByItself: t.session.dismiss(shutdown), How: "nothing"}
	select {
	case <-t.session.peer.ended:
		f.How = t.session.peer.how()
	default:
	}
	f.Lines, f.Stderr = t.after.Load(), t.session.peer.wrote()
	return f
}
