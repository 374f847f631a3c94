// Package console is what a job reads and writes: streams that are safe in a
// pipe, a terminal and a CI log, with progress and tables.
package console

import (
	"errors"
	"io"
	"os"
	"syscall"

	"github.com/deadlinelab/deadlinelab/internal/exit"
	"golang.org/x/term"
)

// Streams are what a job reads and writes. Results go to Out; progress, notes
// and errors go to Err.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string

	Ascii   bool   // what is for a person is written in ASCII
	Program string // how bench was called; "" = bench
}

// NewStreams bundles streams. A reader of out that leaves, as head does, has
// seen enough: what is written afterwards goes nowhere, and that is no error.
// No line that is written is a command to a CI runner.
func NewStreams(in io.Reader, out, err io.Writer, getenv func(string) string) Streams {
	return Streams{In: in, Out: &patient{to: &tame{to: out}}, Err: &tame{to: err}, Getenv: getenv}
}

// patient writes to a stream whose reader may leave.
type patient struct{ to io.Writer }

func (p *patient) Write(b []byte) (int, error) {
	n, err := p.to.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		return len(b), nil
	}
	if err != nil {
		err = exit.Usagef(exit.FullDisk, "standard output: %w", err)
	}
	return n, err
}

// WriteFile makes the file of a report, or of what else is called what. A file
// that cannot be written is the user's to fix.
func WriteFile(path, what string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return exit.Usagef("", "%s: %w", what, err)
	}
	err = write(blaming{&tame{to: f}, what})
	if closed := f.Close(); err == nil && closed != nil {
		err = exit.Usagef(exit.FullDisk, "%s: %w", what, closed)
	}
	return err
}

// blaming is a file whose errors are not the bench's.
type blaming struct {
	to   io.Writer
	what string
}

func (b blaming) Write(p []byte) (int, error) {
	n, err := b.to.Write(p)
	if err != nil {
		err = exit.Usagef(exit.FullDisk, "%s: %w", b.what, err)
	}
	return n, err
}

// file is the file behind w, nil if there is none.
func file(w io.Writer) *os.File {
	if a, ok := w.(speller); ok {
		w = a.to
	}
	if p, ok := w.(*patient); ok {
		w = p.to
	}
	if t, ok := w.(*tame); ok {
		w = t.to
	}
	f, _ := w.(*os.File)
	return f
}

// Colours tells whether w may get colours: a terminal, without NO_COLOR, that
// is not dumb.
func (s Streams) Colours(w io.Writer) bool {
	return IsTerminal(w) && s.Getenv("NO_COLOR") == "" && s.Getenv("TERM") != "dumb"
}

// Columns is the width of the terminal behind w, or otherwise when w is none.
func Columns(w io.Writer, otherwise int) int {
	f := file(w)
	if f == nil {
		return otherwise
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		return otherwise
	}
	return width
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f := file(w)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// List prints rows in columns. On a terminal the last column is wrapped beside
// the others; elsewhere a row is a line, for grep.
func (s Streams) List(rows [][]string) error {
	_, err := io.WriteString(s.Text(), Table(rows, s.listWidth()))
	return err
}

// Beside prints one such row.
func (s Streams) Beside(head, text string) error {
	_, err := io.WriteString(s.Text(), beside(head, text, s.listWidth()))
	return err
}

// listWidth is 0 where a row stays a line.
func (s Streams) listWidth() int {
	if IsTerminal(s.Out) {
		return Columns(s.Out, 80)
	}
	return 0
}

// Width checks a --width flag; 0 = the terminal's, at most most, or otherwise
// when the output is piped.
func (s Streams) Width(flag, otherwise, most int) (int, error) {
	if flag == 0 {
		return max(60, min(Columns(s.Out, otherwise), most)), nil
	}
	if flag < 60 || flag > 400 {
		return 0, exit.Usagef("", "--width %d: expected 60 to 400", flag)
	}
	return flag, nil
}
