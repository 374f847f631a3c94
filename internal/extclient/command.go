// Package extclient runs clients that are programs of their own: one process per
// operation (exec), or a long-running process that speaks the adapter protocol.
// Each of them is a variants.Variant with a Caller. The package measures and
// judges nothing.
package extclient

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// WordError is a command line that cannot be split into words.
type WordError struct {
	At    int    // character, from 1
	Found string // what is wrong there
	Want  string // what was expected, or what to do
}

func (e *WordError) Error() string {
	return fmt.Sprintf("character %d: found %s, expected %s", e.At, e.Found, e.Want)
}

// Split splits a command line into words as a POSIX shell does: quotes and
// backslashes are removed, nothing is expanded, # is an ordinary character.
// There is no shell: a word that only a shell would understand is an error. At
// least one word comes back, and the first one is not empty.
func Split(text string) ([]string, error) {
	s := &splitter{rest: text, at: 1}
	for s.skipBlanks(); s.rest != ""; s.skipBlanks() {
		if err := s.word(); err != nil {
			return nil, err
		}
	}
	if len(s.words) == 0 {
		return nil, &WordError{At: 1, Found: "no word at all", Want: "a program and its arguments"}
	}
	if s.words[0] == "" {
		return nil, &WordError{At: 1, Found: "an empty word", Want: "the name of a program"}
	}
	return s.words, nil
}

// splitter reads one command line.
type splitter struct {
	rest  string
	at    int // of the first character of rest, from 1
	words []string
}

// next takes one character.
func (s *splitter) next() rune {
	r, size := utf8.DecodeRuneInString(s.rest)
	if r == utf8.RuneError && size == 1 {
		r = rune(s.rest[0]) | invalid
	}
	s.rest = s.rest[size:]
	s.at++
	return r
}

// invalid marks a byte that is no UTF-8: it goes into the word as it is.
const invalid = 1 << 24

func appendRune(word []byte, r rune) []byte {
	if r&invalid != 0 {
		return append(word, byte(r))
	}
	return utf8.AppendRune(word, r)
}

const blanks = " \t\r\n"

func (s *splitter) skipBlanks() {
	trimmed := strings.TrimLeft(s.rest, blanks)
	s.at += len(s.rest) - len(trimmed)
	s.rest = trimmed
}

// operators are words that tell a shell what to do, if they are not quoted.
var operators = []string{"|", "||", "&", "&&", ";", ";;", "<", "<<", ">", ">>", "2>", "2>>", "2>&1", "&>"}

// word reads up to the next blank outside quotes.
func (s *splitter) word() error {
	from, text := s.at, s.rest
	var word []byte
	quoted := false
	for s.rest != "" && !strings.ContainsRune(blanks, rune(s.rest[0])) {
		quoted = quoted || strings.ContainsRune(`'"\`, rune(s.rest[0]))
		var err error
		if word, err = s.piece(word); err != nil {
			return err
		}
	}
	if raw := text[:len(text)-len(s.rest)]; slices.Contains(operators, raw) {
		return &WordError{At: from, Found: "the shell operator " + raw, Want: "words for one program: there is no shell; write sh -c '…', or quote it"}
	}
	if len(word) > 0 || quoted && text[:2] != "\\\n" {
		s.words = append(s.words, string(word))
	}
	return nil
}

// piece appends a quotation, or one character.
func (s *splitter) piece(word []byte) ([]byte, error) {
	at := s.at
	switch r := s.next(); r {
	case '\'', '"':
		return s.quotation(word, r, at)
	case '\\':
		return s.escape(word, at)
	default:
		return appendRune(word, r), nil
	}
}

// escape takes the character behind a backslash; a line that it continues
// leaves nothing.
func (s *splitter) escape(word []byte, at int) ([]byte, error) {
	if s.rest == "" {
		return nil, &WordError{At: at, Found: "a backslash at the end", Want: "the character that it takes literally"}
	}
	if r := s.next(); r != '\n' {
		word = appendRune(word, r)
	}
	return word, nil
}

// quotation reads up to the closing quote. In double quotes a backslash acts
// before $, `, ", \ and the end of a line, and is itself before anything else.
func (s *splitter) quotation(word []byte, quote rune, at int) ([]byte, error) {
	for s.rest != "" {
		r := s.next()
		switch {
		case r == quote:
			return word, nil
		case r == '\\' && quote == '"' && s.rest != "" && strings.IndexByte("$`\"\\\n", s.rest[0]) >= 0:
			if r = s.next(); r == '\n' {
				continue
			}
		}
		word = appendRune(word, r)
	}
	return nil, &WordError{At: at, Found: "a quote " + string(quote) + " that is not closed", Want: "a second " + string(quote)}
}
