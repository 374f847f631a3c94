package extclient

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSplit(t *testing.T) {
	for text, want := range map[string][]string{
		`curl -sS {url}`:                     {"curl", "-sS", "{url}"},
		"  a\tb \n c\r\n":                    {"a", "b", "c"},
		`a 'b c' "d e" f\ g`:                 {"a", "b c", "d e", "f g"},
		`a'b'"c"\d`:                          {"abcd"},
		`a '' ""`:                            {"a", "", ""},
		`a 'b\c' "b\c" "\$\"\\\` + "`" + `"`: {"a", `b\c`, `b\c`, `$"\` + "`"},
		`a "$HOME" *.go ~ #x`:                {"a", "$HOME", "*.go", "~", "#x"},
		`a http://h/?x=1&y=2|z`:              {"a", "http://h/?x=1&y=2|z"},
		`a '|' \; "&&"`:                      {"a", "|", ";", "&&"},
		"a b\\\nc \\\nd \"e\\\nf\"":          {"a", "bc", "d", "ef"},
		`ä "ö ü"`:                            {"ä", "ö ü"},
		"a \xff\xfe":                         {"a", "\xff\xfe"},
	} {
		got, err := Split(text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Split(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
}

func TestSplitErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "character 1: found no word at all",
		" \t ":                "character 1: found no word at all",
		"''":                  "character 1: found an empty word",
		`curl 'a`:             "character 6: found a quote ' that is not closed",
		`ä ö "a'`:             `character 5: found a quote " that is not closed`,
		`curl a\`:             "character 7: found a backslash at the end",
		`curl {url} | grep a`: "character 12: found the shell operator |",
		`curl {url} > f`:      "character 12: found the shell operator >",
	} {
		_, err := Split(text)
		var e *WordError
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Split(%q): error %v, want %q", text, err, want)
		}
	}
}

// What Split takes apart, the shell takes apart in the same way, as long as it
// has nothing to expand.
func TestSplitAgreesWithTheShell(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		missing(t, "no shell here")
	}
	for _, text := range []string{`a b  c`, `a 'b  c' d`, `a "b \" \\ \c" 'd\'`, `a\ b c\\d ''`, "a \\\n b\\\nc", `"a"'b'c "" d`} {
		out, err := exec.Command(shell, "-c", "for word in "+text+"; do printf '%s\\036' \"$word\"; done").Output()
		if err != nil {
			t.Fatal(err)
		}
		got, err := Split(text)
		if want := strings.Split(strings.TrimSuffix(string(out), "\036"), "\036"); err != nil || !slices.Equal(got, want) {
			t.Errorf("Split(%q) = %q, %v; the shell: %q", text, got, err, want)
		}
	}
}

// Any words, quoted, come back as they were; anything else is words or an error
// at a place inside the text.
func FuzzSplit(f *testing.F) {
	for _, text := range []string{"", "a b", `'a' "b\"" \c`, "a '", "\xff\\", "| a"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words, err := Split(text)
		var e *WordError
		if errors.As(err, &e) && (e.At < 1 || e.At > utf8.RuneCountInString(text)+1) {
			t.Errorf("Split(%q): %v", text, err)
		}
		if err == nil && len(words) == 0 {
			t.Errorf("Split(%q) has no words", text)
		}
		quoted := "x '" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		if words, err = Split(quoted); err != nil || !slices.Equal(words, []string{"x", text}) {
			t.Errorf("Split(%q) = %q, %v", quoted, words, err)
		}
	})
}
