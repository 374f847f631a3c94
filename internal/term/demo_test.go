package term

import (
	"bytes"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/textui"
)

// What a newcomer sees first, for every kind of wait.
func TestDemo(t *testing.T) {
	for _, d := range fixture.Demos {
		t.Run(d.Name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Demo(&b, fixture.Setup(d.Name, d.Question, d.Fault), d.Subjects, Options{}); err != nil {
				t.Fatal(err)
			}
			fixture.Golden(t, "demo_"+d.Name+".golden", b.Bytes())
		})
	}
}

// No line is wider than asked, in any dress, and the plain dress has no colour.
func TestDemoFitsItsWidth(t *testing.T) {
	for _, o := range []Options{{Width: 60}, {Width: 80, ASCII: true}, {Width: 100}, {Width: 133}} {
		for _, d := range fixture.Demos {
			var b bytes.Buffer
			if err := Demo(&b, fixture.Setup(d.Name, d.Question, d.Fault), d.Subjects, o); err != nil {
				t.Fatal(err)
			}
			for line := range strings.SplitSeq(b.String(), "\n") {
				if textui.Width(line) > o.Width {
					t.Errorf("%s at %d columns: %d columns: %q", d.Name, o.Width, textui.Width(line), line)
				}
			}
			if strings.Contains(b.String(), "\x1b") {
				t.Errorf("%s at %d columns holds a terminal escape", d.Name, o.Width)
			}
			if o.ASCII && strings.ContainsFunc(b.String(), func(r rune) bool { return r > 0x7e }) {
				t.Errorf("%s is not ASCII", d.Name)
			}
		}
	}
}
