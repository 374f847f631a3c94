package textui

import (
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	got := Plain("\x1b[31mred\x00\xff\u202e")
	for _, raw := range []string{"\x1b", "\x00", "\xff", "\u202e"} {
		if strings.Contains(got, raw) {
			t.Errorf("%q holds %q as it was", got, raw)
		}
	}
	if !strings.Contains(got, `\x1b[31mred\x00\xff\u202e`) {
		t.Errorf("%q", got)
	}
}
