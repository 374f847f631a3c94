package extclient

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/nearest"
)

// Placeholders are what may stand in braces in any argument of a command.
var Placeholders = []string{"url", "budget_s", "budget_ms", "id"}

// values are what one operation puts in the place of the placeholders.
type values struct {
	url    string
	budget time.Duration
	id     string
}

func (v values) of(name string) string {
	switch name {
	case "url":
		return v.url
	case "budget_s":
		return strconv.FormatFloat(v.budget.Seconds(), 'f', -1, 64)
	case "budget_ms":
		return strconv.FormatFloat(float64(v.budget)/float64(time.Millisecond), 'f', -1, 64)
	}
	return v.id
}

// Check refuses placeholders that nothing is known to put in the place of.
// A word is letters, digits, _ and -, in either case: {URL} is a slip too.
// What other programs write in braces passes: %{…}, ${…}, {}, {"json": …}.
// {{word}} stands for the characters {word}.
func Check(argv []string) error {
	for i, arg := range argv {
		for _, p := range pieces(arg) {
			if p.word != "" && !slices.Contains(Placeholders, p.word) {
				return fmt.Errorf("word %d: found {%s}, expected one of {%s}%s; for the characters themselves write {{%s}}",
					i+1, p.word, strings.Join(Placeholders, "} {"), nearest.DidYouMean(p.word, Placeholders), p.word)
			}
		}
	}
	return nil
}

// expand is argv with the values in place. argv has been checked.
func expand(argv []string, v values) []string {
	out := make([]string, len(argv))
	for i, arg := range argv {
		var b strings.Builder
		for _, p := range pieces(arg) {
			b.WriteString(p.text)
			if p.word != "" {
				b.WriteString(v.of(p.word))
			}
		}
		out[i] = b.String()
	}
	return out
}

// piece of an argument: text, then a placeholder, or none.
type piece struct{ text, word string }

var (
	single = regexp.MustCompile(`^\{([A-Za-z][\w-]*)\}`)
	double = regexp.MustCompile(`^\{\{([A-Za-z][\w-]*)\}\}`)
)

// pieces cuts an argument at its placeholders.
func pieces(arg string) []piece {
	var list []piece
	var text strings.Builder
	for i := 0; i < len(arg); {
		if m := double.FindStringSubmatch(arg[i:]); m != nil {
			text.WriteString("{" + m[1] + "}")
			i += len(m[0])
			continue
		}
		if m := single.FindStringSubmatch(arg[i:]); m != nil && (i == 0 || arg[i-1] != '%' && arg[i-1] != '$') {
			list = append(list, piece{text.String(), m[1]})
			text.Reset()
			i += len(m[0])
			continue
		}
		text.WriteByte(arg[i])
		i++
	}
	return append(list, piece{text: text.String()})
}
