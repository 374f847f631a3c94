package extclient

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// shown is how much of what a client wrote an error repeats, in characters.
const shown = 200

// violation is a line, or what was missing from one, that breaks the protocol.
type violation struct{ found, expected string }

func (v *violation) Error() string { return "found " + v.found + ", expected " + v.expected }

func violationf(expected, found string, args ...any) error {
	return &violation{found: fmt.Sprintf(found, args...), expected: expected}
}

// excerpt is the beginning of text in quotes: at most shown characters, with
// everything that could disturb a terminal escaped.
func excerpt(text []byte) string {
	cut := text[:min(len(text), shown)]
	for len(cut) > 0 && len(strconv.Quote(string(cut))) > shown+2 {
		_, last := utf8.DecodeLastRune(cut)
		cut = cut[:len(cut)-last]
	}
	if len(cut) == len(text) {
		return strconv.Quote(string(cut))
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(string(cut)), len(text))
}

// asWritten is a JSON value as the client wrote it, or its excerpt if it is long
// or could disturb a terminal.
func asWritten(value []byte) string {
	if len(value) > shown || bytes.ContainsFunc(value, func(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }) {
		return excerpt(value)
	}
	return string(value)
}

// lastWords is the end of what a client wrote on its standard error, ready to
// be appended to an error; empty if it wrote nothing.
func lastWords(stderr string) string {
	text := withoutFrames(strings.TrimSpace(stderr))
	if text == "" {
		return ""
	}
	for len(strconv.Quote(text)) > 2*shown+2 {
		_, first := utf8.DecodeRuneInString(text)
		text = text[first:]
	}
	return "; its standard error ends with " + strconv.Quote(text)
}
