package bench

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Streams are what a job reads and writes. Results go to Out; progress, notes
// and errors go to Err.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
}

// NewStreams bundles streams.
func NewStreams(in io.Reader, out, err io.Writer, getenv func(string) string) Streams {
	return Streams{In: in, Out: out, Err: err, Getenv: getenv}
}

// colours tells whether w may get colours: a terminal, without NO_COLOR, that
// is not dumb.
func (s Streams) colours(w io.Writer) bool {
	return isTerminal(w) && s.Getenv("NO_COLOR") == "" && s.Getenv("TERM") != "dumb"
}

// columns is the width of the terminal behind w, or otherwise when w is none.
func columns(w io.Writer, otherwise int) int {
	f, ok := w.(*os.File)
	if !ok {
		return otherwise
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		return otherwise
	}
	return width
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
