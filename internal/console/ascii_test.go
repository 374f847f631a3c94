package console

import (
	"bytes"
	"testing"
)

func TestASCIILocale(t *testing.T) {
	for _, c := range []struct {
		all, ctype, lang string
		ascii            bool
	}{
		{"", "", "", false},
		{"C", "", "", true},
		{"POSIX", "", "", true},
		{"", "", "C", true},
		{"", "C", "de_DE.UTF-8", true},
		{"C", "C.UTF-8", "C.UTF-8", true},
		{"C.UTF-8", "C", "C", false},
		{"", "C.utf8", "C", false},
		{"", "UTF-8", "", false},
		{"", "", "de_AT.UTF-8@euro", false},
		{"", "", "de_AT@euro", true},
		{"", "", "de_DE.ISO-8859-1", true},
		{"", "", "en_US", true},
	} {
		locale := map[string]string{"LC_ALL": c.all, "LC_CTYPE": c.ctype, "LANG": c.lang}
		if got := ASCIILocale(func(name string) string { return locale[name] }); got != c.ascii {
			t.Errorf("%v: %v", locale, got)
		}
	}
}

// What is read by programs, and what is not bench's own, stays as it is.
func TestInASCII(t *testing.T) {
	var out, err bytes.Buffer
	plain := NewStreams(nil, &out, &err, nil)
	for _, s := range []Streams{plain, plain.InASCII()} {
		for _, w := range []interface{ Write([]byte) (int, error) }{s.Out, s.Text(), s.Err} {
			text := []byte("größe → 3 × 4 …\n")
			if n, err := w.Write(text); n != len(text) || err != nil {
				t.Error(n, err)
			}
		}
	}
	const unicode, ascii = "größe → 3 × 4 …\n", "größe -> 3 x 4 ...\n"
	if got := out.String(); got != unicode+unicode+unicode+ascii {
		t.Errorf("out %q", got)
	}
	if got := err.String(); got != unicode+ascii {
		t.Errorf("err %q", got)
	}
}
