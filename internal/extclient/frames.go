package extclient

import (
	"regexp"
	"strings"
)

// frame is a line of a stack trace of Node, Java or .NET, which names a place or
// arguments, or what they say of those that are left out.
var frame = regexp.MustCompile(`^\s+(at .*(\(.*\)|:\d|<anonymous>)|\.\.\. \d+ (more|lines matching))`)

// panicked is how what ends a Go program begins; the stacks of its goroutines
// stand behind an empty line.
var panicked = regexp.MustCompile(`(?m)^(panic|fatal error): `)

// withoutFrames leaves the calls out of the traces in text. These runtimes say
// what went wrong before them, so that the end of a long one would be calls
// alone; Python says it last.
func withoutFrames(text string) string {
	lines := strings.Split(text, "\n")
	kept := lines[:0]
	for _, line := range lines {
		if !frame.MatchString(line) {
			kept = append(kept, line)
		}
	}
	text = strings.Join(kept, "\n")
	if at := panicked.FindStringIndex(text); at != nil {
		message, _, _ := strings.Cut(text[at[0]:], "\n\ngoroutine ")
		return text[:at[0]] + message
	}
	return text
}
