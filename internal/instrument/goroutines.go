package instrument

import (
	"bufio"
	"bytes"
	"encoding/json"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"
)

// profileGap keeps the profiles of a run apart: each takes milliseconds, and
// many series end at about the same time.
const profileGap = 100 * time.Millisecond

// Goroutines counts the goroutines of this process by their label. One profile
// serves everybody who waits for one.
type Goroutines struct {
	turn  chan struct{} // holds one token: the right to look at the rest
	taken time.Time     // zero = never
	count map[string]int
}

// NewGoroutines returns a counter that takes at most one profile in 100 ms.
func NewGoroutines() *Goroutines {
	g := &Goroutines{turn: make(chan struct{}, 1)}
	g.turn <- struct{}{}
	return g
}

// At is a count taken at an instant that has passed, or soon after.
func (g *Goroutines) At(due time.Time) map[string]int {
	<-g.turn
	defer func() { g.turn <- struct{}{} }()
	if !g.taken.IsZero() && g.taken.Before(due) {
		time.Sleep(time.Until(g.taken.Add(profileGap)))
	}
	if g.taken.IsZero() || g.taken.Before(due) {
		g.taken = time.Now()
		g.count = countByLabel(goroutineProfile())
	}
	return g.count
}

func goroutineProfile() []byte {
	var text bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&text, 1)
	return text.Bytes()
}

// countByLabel reads a goroutine profile as text: a line with the number of
// Goroutines that have a stack and labels in common, and a line with these labels.
func countByLabel(profile []byte) map[string]int {
	count := map[string]int{}
	lines, n := bufio.NewScanner(bytes.NewReader(profile)), 0
	lines.Buffer(nil, len(profile)+1)
	for lines.Scan() {
		if number, _, is := strings.Cut(lines.Text(), " @ "); is {
			n, _ = strconv.Atoi(number)
		}
		text, is := strings.CutPrefix(lines.Text(), "# labels: ")
		labels := map[string]string{}
		if is && json.Unmarshal([]byte(text), &labels) == nil && labels[LabelKey] != "" {
			count[labels[LabelKey]] += n
		}
	}
	return count
}

// LabelKey marks the goroutines of the clients under test in the profile of
// this process. A goroutine hands its labels on to those that it starts.
const LabelKey = "deadlinelab"
