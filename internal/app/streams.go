package app

import (
	"errors"
	"io"
	"os"
	"syscall"

	"golang.org/x/term"
)

// Streams are what a job reads and writes. Results go to Out; progress, notes
// and errors go to Err.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string

	ascii   bool   // what is for a person is written in ASCII
	program string // how bench was called; "" = bench
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
		err = Usagef(fullDisk, "standard output: %w", err)
	}
	return n, err
}

// writeFile makes the file of a report, or of what else is called what. A file
// that cannot be written is the user's to fix.
func writeFile(path, what string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return Usagef("", "%s: %w", what, err)
	}
	err = write(blaming{&tame{to: f}, what})
	if closed := f.Close(); err == nil && closed != nil {
		err = Usagef(fullDisk, "%s: %w", what, closed)
	}
	return err
}

const fullDisk = "is the disk full that it goes to?"

// blaming is a file whose errors are not the bench's.
type blaming struct {
	to   io.Writer
	what string
}

func (b blaming) Write(p []byte) (int, error) {
	n, err := b.to.Write(p)
	if err != nil {
		err = Usagef(fullDisk, "%s: %w", b.what, err)
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

// colours tells whether w may get colours: a terminal, without NO_COLOR, that
// is not dumb.
func (s Streams) colours(w io.Writer) bool {
	return isTerminal(w) && s.Getenv("NO_COLOR") == "" && s.Getenv("TERM") != "dumb"
}

// columns is the width of the terminal behind w, or otherwise when w is none.
func columns(w io.Writer, otherwise int) int {
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

func isTerminal(w io.Writer) bool {
	f := file(w)
	return f != nil && term.IsTerminal(int(f.Fd()))
}
