package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fixture"
	"github.com/deadlinelab/deadlinelab/internal/fixture/inputs"
	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

func TestFormats(t *testing.T) {
	for _, name := range Formats() {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Write(name, &b, inputs.Mixed()); err != nil {
				t.Fatal(err)
			}
			fixture.Golden(t, "report."+name+".golden", withoutAssets(b.Bytes()))
			if strings.ContainsRune(b.String(), '\x1b') {
				t.Error("a terminal escape from a name came through")
			}
		})
	}
}

var assets = regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>|sha256-\S+`)

// withoutAssets leaves out style and script of a page: they are read in files
// of their own.
func withoutAssets(page []byte) []byte { return assets.ReplaceAll(page, []byte("…")) }

func TestTextFitsItsColumns(t *testing.T) {
	var b bytes.Buffer
	if err := Write("text", &b, inputs.Mixed()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(b.String(), "\n") {
		if textui.Width(line) > 100 {
			t.Errorf("%d columns: %s", textui.Width(line), line)
		}
	}
}

// The colours of a verdict change no column.
func TestTextColours(t *testing.T) {
	var b, plainly bytes.Buffer
	in := inputs.Mixed()
	if err := Write("text", &plainly, in); err != nil {
		t.Fatal(err)
	}
	in.Colour = true
	if err := Write("text", &b, in); err != nil {
		t.Fatal(err)
	}
	stripped := b.String()
	for _, code := range []string{"\x1b[0m", "\x1b[32m", "\x1b[1;31m", "\x1b[33m", "\x1b[2m"} {
		if !strings.Contains(stripped, code) {
			t.Errorf("%q is not used", code)
		}
		stripped = strings.ReplaceAll(stripped, code, "")
	}
	if stripped != plainly.String() {
		t.Errorf("with colours taken off:\n%s\nwant\n%s", stripped, plainly.String())
	}
}

func TestUnknownFormat(t *testing.T) {
	err := Write("xls", &bytes.Buffer{}, inputs.Mixed())
	if err == nil || !strings.Contains(err.Error(), `format "xls": expected one of `+strings.Join(Formats(), ", ")) {
		t.Errorf("got %v", err)
	}
}

// A report that could not be written is an error in every format.
func TestWriteErrorsAreReported(t *testing.T) {
	for _, name := range Formats() {
		if err := Write(name, inputs.Full{}, inputs.Mixed()); err == nil {
			t.Errorf("%s swallowed the error", name)
		}
	}
}

func TestRegisterTwicePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a second format of the same name was accepted")
		}
	}()
	Register("text", writeText)
}

// A terminal of 20 columns gets 20; only a word that does not fit beside its head
// is not broken.
func TestTextOnANarrowTerminal(t *testing.T) {
	for _, width := range []int{20, 40, 99} {
		for name, in := range map[string]view.Input{"mixed": inputs.Mixed(), "ladder": inputs.Ladder()} {
			var b bytes.Buffer
			in.Width = width
			if err := Write("text", &b, in); err != nil {
				t.Fatal(err)
			}
			for line := range strings.SplitSeq(b.String(), "\n") {
				words := strings.Fields(line)
				if textui.Width(line) > width && textui.Width(line)-textui.Width(words[len(words)-1]) > width/2 {
					t.Errorf("%s at %d: %d columns: %q", name, width, textui.Width(line), line)
				}
			}
		}
	}
}
