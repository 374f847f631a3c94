package console

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// However text is cut into writes, no line begins with "::", and everything else
// stays as it was.
func TestNoLineIsACommand(t *testing.T) {
	for text, want := range map[string]string{
		"::error::x\n":                "\\x3a:error::x\n",
		"a\n  ::warning x\r\t::z\n":   "a\n  \\x3a:warning x\r\t\\x3a:z\n",
		"why\r\n::set-env name=a::b":  "why\r\n\\x3a:set-env name=a::b",
		"std::string and [::1]:80\n":  "std::string and [::1]:80\n",
		"x: y\n\n : z\n:a\ntext :: b": "x: y\n\n : z\n:a\ntext :: b",
	} {
		var whole bytes.Buffer
		n, err := io.WriteString(NewStreams(nil, &whole, io.Discard, nil).Out, text)
		if n != len(text) || err != nil || whole.String() != want {
			t.Errorf("%q: %d, %v, %q, expected %q", text, n, err, whole.String(), want)
		}
		var torn bytes.Buffer
		s := NewStreams(nil, io.Discard, &torn, nil)
		for _, c := range []byte(text) {
			if _, err := s.Err.Write([]byte{c}); err != nil {
				t.Fatal(err)
			}
		}
		for _, line := range strings.FieldsFunc(torn.String(), func(r rune) bool { return r == '\n' || r == '\r' }) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") {
				t.Errorf("%q, byte by byte: %q", text, line)
			}
		}
	}
}
