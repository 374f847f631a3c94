package svg

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

func TestElement(t *testing.T) {
	drawing := New("g", "id", "a", "class", "").Add(
		New("rect", "x", 1.23456, "y", -0.0001, "width", 7).Titled("from 1 to <2>"),
		nil,
		New("text").Say(`a & "b"`),
	)
	want := `<g id="a"><rect x="1.235" y="0" width="7"><title>from 1 to &lt;2&gt;</title></rect><text>a &amp; &#34;b&#34;</text></g>`
	if got := string(drawing.Bytes()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestUnknownTypePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an attribute of type bool was accepted")
		}
	}()
	New("g", "x", true)
}

// Whatever a text or an attribute holds, the result is one well-formed element
// without an element of the text's own.
func FuzzEscape(f *testing.F) {
	f.Add(`<script>`, `"><x y='`)
	f.Add("\x00\x1b\xff", "\n]]>--></style>")
	f.Fuzz(func(t *testing.T, text, value string) {
		out := string(New("text", "class", value).Say(text).Bytes())
		decoder, elements := xml.NewDecoder(strings.NewReader(out)), 0
		for {
			token, err := decoder.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%v: %q", err, out)
			}
			if _, ok := token.(xml.StartElement); ok {
				elements++
			}
		}
		if elements != 1 {
			t.Errorf("%d elements in %q", elements, out)
		}
	})
}
