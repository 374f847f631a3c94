package console

import (
	"io"
	"sync"
)

// tame writes so that no line begins with "::", blanks aside: to a CI runner that
// would be a command, and names, questions and errors are not bench's own words.
// The first colon of such a line becomes a visible escape.
type tame struct {
	to     io.Writer
	mu     sync.Mutex
	inside bool // the line has begun
}

func (t *tame) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	tamed := t.tamed(b)
	if n, err := t.to.Write(tamed); err != nil {
		return min(n, len(b)), err
	}
	return len(b), nil
}

// tamed takes a colon at the end of what is written for the first of two.
func (t *tame) tamed(b []byte) []byte {
	var out []byte
	done := 0
	for i, c := range b {
		switch {
		case c == '\n' || c == '\r': // both end a line there
			t.inside = false
		case t.inside || c == ' ' || c == '\t':
		default:
			t.inside = true
			if c == ':' && (i+1 == len(b) || b[i+1] == ':') {
				out = append(append(out, b[done:i]...), `\x3a`...)
				done = i + 1
			}
		}
	}
	if done == 0 {
		return b
	}
	return append(out, b[done:]...)
}
