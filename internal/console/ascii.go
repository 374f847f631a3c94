package console

import (
	"io"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
)

// ASCIILocale tells whether the locale is one without Unicode: LC_ALL, LC_CTYPE
// or LANG, the first of them that is set, names another character set than
// UTF-8, or none. Where none of them is set, as in most containers and CI
// systems, nothing is known, and what reads the output can mostly show it.
func ASCIILocale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := getenv(name); locale != "" {
			return !isUTF8(locale)
		}
	}
	return false
}

// isUTF8 reads language_TERRITORY.charset@modifier; the charset alone is one
// too.
func isUTF8(locale string) bool {
	charset, _, _ := strings.Cut(locale, "@")
	if _, after, found := strings.Cut(charset, "."); found {
		charset = after
	}
	return strings.EqualFold(strings.ReplaceAll(charset, "-", ""), "utf8")
}

// InASCII makes everything that is written for a person ASCII, but for what is
// not bench's own, such as the names of files.
func (s Streams) InASCII() Streams {
	s.Ascii, s.Err = true, speller{s.Err}
	return s
}

// Text is where results for a person go; those for programs go to Out.
func (s Streams) Text() io.Writer { return s.Spelled(s.Out) }

// Spelled is w for what a person reads.
func (s Streams) Spelled(w io.Writer) io.Writer {
	if s.Ascii {
		return speller{w}
	}
	return w
}

// speller spells bench's signs in ASCII. Nobody writes half of one.
type speller struct{ to io.Writer }

func (w speller) Write(b []byte) (int, error) {
	if _, err := io.WriteString(w.to, textui.SpellSigns(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}
