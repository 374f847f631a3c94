package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// maxBytes bounds a file before it is parsed, maxPlanBytes one that holds many
// of them.
const (
	maxBytes     = 1 << 20
	maxPlanBytes = 64 << 20
)

// readTree parses exactly one YAML document of at most most bytes.
func readTree(file string, data []byte, most int) (*yaml.Node, error) {
	refuse := func(at Position, found, want, next string) error {
		return Errors{{File: file, Position: at, Found: found, Want: want, Next: next}}
	}
	if len(data) > most {
		return nil, refuse(Position{1, 1}, fmt.Sprintf("%d bytes", len(data)), fmt.Sprintf("at most %d bytes", most), "check that this is the right file")
	}
	if at := notText(data); at >= 0 {
		return nil, refuse(placeOf(data, at), fmt.Sprintf("the byte 0x%02x", data[at]), "UTF-8 text without control characters", "save the file as UTF-8")
	}
	decoder := yaml.NewDecoder(bytes.NewReader(yamlEscapes(data)))
	var first, second yaml.Node
	if err := decoder.Decode(&first); errors.Is(err, io.EOF) {
		return nil, refuse(Position{1, 1}, "an empty file", "one YAML document", "write the keys name, question, lesson, contrast, operation, scenario, variants and expect")
	} else if err != nil {
		return nil, syntaxError(file, data, err)
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, refuse(Position{second.Line, second.Column}, "a second YAML document", "one document a file", "move it to a file of its own")
	} else if !errors.Is(err, io.EOF) {
		return nil, syntaxError(file, data, err)
	}
	return first.Content[0], nil
}

// escaped matches what JSON may write and YAML lacks: an escaped slash, and a
// character in two halves. An escaped backslash is matched to be left alone.
var escaped = regexp.MustCompile(`\\\\|\\/|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}`)

// yamlEscapes rewrites these escapes of a JSON text in YAML's form, a column
// or two shorter. Everything else of JSON is YAML.
func yamlEscapes(data []byte) []byte {
	if !json.Valid(data) {
		return data
	}
	return escaped.ReplaceAllFunc(data, func(e []byte) []byte {
		switch string(e) {
		case `\\`:
			return e
		case `\/`:
			return []byte("/")
		}
		high, _ := strconv.ParseUint(string(e[2:6]), 16, 16)
		low, _ := strconv.ParseUint(string(e[8:12]), 16, 16)
		return fmt.Appendf(nil, `\U%08x`, utf16.DecodeRune(rune(high), rune(low)))
	})
}

// notText is the offset of the first byte that cannot be in a YAML file, or -1.
func notText(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 || unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\u0085", r) {
			return i
		}
		i += size
	}
	return -1
}

var (
	yamlLine   = regexp.MustCompile(`^yaml: line (\d+): `)
	yamlAnchor = regexp.MustCompile(`unknown anchor '(.*)' referenced`)
)

// syntaxError places what the YAML parser reports: it names a line at most.
func syntaxError(file string, data []byte, err error) error {
	text := err.Error()
	at := Position{1, 1}
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		at.Line, _ = strconv.Atoi(m[1])
		at = firstInLine(data, at.Line)
		text = strings.TrimPrefix(text, m[0])
	} else if m := yamlAnchor.FindStringSubmatch(text); m != nil {
		at = placeOf(data, max(0, bytes.Index(data, []byte("*"+m[1]))))
	}
	text = strings.TrimPrefix(text, "yaml: ")
	return Errors{{File: file, Position: at, Found: "broken YAML (" + text + ")", Want: "YAML that can be parsed",
		Next: "look at this line and the one above it: indentation, quotes and brackets"}}
}

// firstInLine is the first character of a line that is not blank.
func firstInLine(data []byte, line int) Position {
	lines := bytes.Split(data, []byte("\n"))
	if line > len(lines) {
		return Position{line, 1}
	}
	text := lines[line-1]
	return Position{line, 1 + len(text) - len(bytes.TrimLeft(text, " \t"))}
}

// placeOf turns an offset in bytes into a line and a column in characters.
func placeOf(data []byte, offset int) Position {
	before := data[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return Position{1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[start:])}
}
