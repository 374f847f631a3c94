package console

import (
	"fmt"
	"io"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/runner"
)

// Progress draws one line on a terminal, and nothing elsewhere: not on a dumb
// one either, which cannot take a line back.
type Progress struct {
	w       io.Writer
	started time.Time
	last    time.Time
}

// NewProgress returns a progress line: redrawn on a terminal, a line now and then
// elsewhere.
func NewProgress(s Streams) *Progress {
	if !IsTerminal(s.Err) || s.Getenv("TERM") == "dumb" {
		return &Progress{}
	}
	return &Progress{w: s.Err, started: time.Now()}
}

// Update is called after each operation; it draws at most ten times a second.
func (p *Progress) Update(at runner.Progress) {
	if p.w == nil || time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.last = time.Now()
	fmt.Fprint(p.w, "\r\x1b[K", cut(p.line(at), Columns(p.w, 80)-1))
}

func (p *Progress) line(at runner.Progress) string {
	return fmt.Sprintf("%d of %d operations, %d running%s", at.Done, at.Total, at.Running, p.left(at))
}

// cut keeps a line of ASCII on one line of the terminal: only that one can be
// taken back.
func cut(line string, width int) string { return line[:max(0, min(width, len(line)))] }

// left estimates the remaining time from the share that is done.
func (p *Progress) left(at runner.Progress) string {
	if at.Done == 0 || time.Since(p.started) < time.Second {
		return ""
	}
	rest := float64(at.Total-at.Done) / float64(at.Done)
	return fmt.Sprintf(", about %s left", time.Duration(float64(time.Since(p.started))*rest).Round(time.Second))
}

func (p *Progress) Clear() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
