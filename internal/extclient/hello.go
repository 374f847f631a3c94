package extclient

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deadlinelab/deadlinelab/adapter"
	"github.com/deadlinelab/deadlinelab/internal/nearest"
)

// Limits of what a hello says, in characters.
const (
	MaxName     = 64  // name, version and the name of a setting
	MaxLanguage = 100 //
	MaxSetting  = 200 // the value of a setting
	MaxSettings = 32  // how many
	printables  = "printable characters"
)

// parseHello reads and checks a client's hello.
func parseHello(o object) (adapter.Hello, error) {
	r := &reader{object: o}
	h := adapter.Hello{Type: adapter.TypeHello, Settings: map[string]string{}}
	protocol := int64(0)
	if !read(r, "protocol", "a whole number", &protocol) {
		r.missing("protocol", fmt.Sprintf("the number of the protocol that it speaks, %d", adapter.Protocol))
	}
	if h.Protocol = int(protocol); r.err == nil && h.Protocol != adapter.Protocol {
		r.err = violationf(fmt.Sprintf("protocol %d, the only one that this bench speaks", adapter.Protocol), "protocol %d", protocol)
	}
	r.named("name", MaxName, true, &h.Name)
	r.named("version", MaxName, true, &h.Version)
	r.named("language", MaxLanguage, false, &h.Language)
	r.settings(h.Settings)
	r.capabilities(&h.Capabilities)
	r.clock(&h.Clock)
	return h, r.err
}

// named reads a short text for people.
func (r *reader) named(key string, most int, required bool, into *string) {
	expected := fmt.Sprintf("1 to %d %s", most, printables)
	there := read(r, key, expected, into)
	switch {
	case there && r.err == nil && !printable(*into, 1, most):
		r.refuse(key, r.object[key], expected)
	case !there && required:
		r.missing(key, expected)
	}
}

func printable(text string, least, most int) bool {
	n := utf8.RuneCountInString(text)
	return n >= least && n <= most && !strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) })
}

func (r *reader) settings(into map[string]string) {
	var raw json.RawMessage
	if !read(r, "settings", "an object of texts", &raw) || r.err != nil {
		return
	}
	o, err := parseObject(raw)
	if err != nil || len(o) > MaxSettings {
		r.refuse("settings", raw, fmt.Sprintf("an object of at most %d texts, each key once", MaxSettings))
		return
	}
	for _, key := range slices.Sorted(maps.Keys(o)) {
		value, expected := "", fmt.Sprintf("a name of 1 to %d and a text of at most %d %s", MaxName, MaxSetting, printables)
		if json.Unmarshal(o[key], &value) != nil || !printable(key, 1, MaxName) || !printable(value, 0, MaxSetting) {
			r.refuse("settings", fmt.Appendf(nil, "{%q: %s}", key, o[key]), expected)
		}
		into[key] = value
	}
}

func (r *reader) capabilities(into *[]string) {
	read(r, "capabilities", "a list of texts", into)
	for i, c := range *into {
		switch {
		case r.err != nil:
		case !slices.Contains(adapter.Capabilities, c):
			r.err = violationf("one of "+strings.Join(adapter.Capabilities, ", ")+nearest.DidYouMean(c, adapter.Capabilities), "the capability %s", excerpt([]byte(c)))
		case slices.Contains((*into)[:i], c):
			r.err = violationf("each capability once", "the capability %q twice", c)
		}
	}
}

func (r *reader) clock(into *string) {
	expected := fmt.Sprintf("%q or %q", adapter.ClockMonotonic, adapter.ClockNone)
	if !read(r, "clock", expected, into) {
		r.missing("clock", expected)
	} else if r.err == nil && *into != adapter.ClockMonotonic && *into != adapter.ClockNone {
		r.refuse("clock", r.object["clock"], expected)
	}
}
