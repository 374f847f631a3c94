package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// Demo writes what a newcomer sees first: the question, the drawing of every
// subject on one axis, each merged journal, one sentence per subject, and the
// lesson.
func Demo(w io.Writer, s *scenario.Scenario, subjects []Subject, o Options) error {
	var b bytes.Buffer
	write := func(lines ...string) {
		for _, l := range lines {
			b.WriteString(l + "\n")
		}
	}
	write(demoHeader(s, o)...)
	write("")
	write(draw(NewChart(subjects), o)...)
	for _, one := range subjects {
		write(journal(one, o)...)
	}
	write("")
	write(conclusions(s, subjects, o)...)
	text := b.String()
	if o.ASCII {
		text = toASCII(text)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	return nil
}

func demoHeader(s *scenario.Scenario, o Options) []string {
	lines := wrap(plain(s.Name)+": "+plain(s.Question), o.width(), "")
	lines = append(lines, hang("  client     ", clientText(s), o.width())...)
	return append(lines, hang("  upstream   ", upstreamText(s), o.width())...)
}

// clientText is what the caller asked for and the limits inside.
func clientText(s *scenario.Scenario) string {
	op := s.Operation
	parts := []string{fmt.Sprintf("budget %g ms", op.BudgetMs), plural(op.MaxAttempts, "attempt")}
	if op.MaxAttempts > 1 {
		parts[1] = "up to " + parts[1] + ", pauses " + numbers(op.BackoffMs) + " ms"
	}
	if limits := limitsText(s.Attempt); limits != "" {
		parts = append(parts, "attempt limits "+limits)
	}
	if s.Slots > 0 {
		parts = append(parts, plural(s.Slots, "slot"))
	}
	if s.Pool != nil && (s.Pool.Limit > 0 || s.Pool.LimitPerHost > 0) {
		parts = append(parts, "pool of "+plural(max(s.Pool.Limit, s.Pool.LimitPerHost), "connection"))
	}
	return strings.Join(parts, "; ")
}

func numbers(list []float64) string {
	var parts []string
	for _, n := range list {
		parts = append(parts, fmt.Sprintf("%g", n))
	}
	return strings.Join(parts, ", ")
}

func limitsText(l scenario.Limits) string {
	var parts []string
	add := func(name string, ms *float64) {
		if ms != nil {
			parts = append(parts, fmt.Sprintf("%s %g", name, *ms))
		}
	}
	add("total_ms", l.TotalMs)
	add("connect_ms", l.ConnectMs)
	add("sock_connect_ms", l.SockConnectMs)
	add("sock_read_ms", l.SockReadMs)
	return strings.Join(parts, ", ")
}

// conclusions are one sentence per subject, then the scenario's lesson.
func conclusions(s *scenario.Scenario, subjects []Subject, o Options) []string {
	var lines []string
	for _, one := range subjects {
		name := plain(one.Operation.Label) + "  "
		lines = append(lines, hang(name, Sentence(one.Operation), o.width())...)
	}
	if s.Lesson != "" {
		lines = append(lines, "")
		lines = append(lines, hang("Lesson: ", plain(s.Lesson), o.width())...)
	}
	return lines
}

var asciiWords = strings.NewReplacer("·", "-", "─", "-", "…", "...", "–", "-", "—", "-", "’", "'", "“", `"`, "”", `"`, "×", "x", "≤", "<=", "≥", ">=", "→", "->", "−", "-", "±", "+/-")

// SpellSigns spells the signs that bench writes for a person in ASCII, and
// leaves every other character as it is.
func SpellSigns(text string) string { return asciiWords.Replace(text) }

// toASCII spells what is left beyond ASCII, such as a question's own letters,
// as escapes.
func toASCII(text string) string {
	var b strings.Builder
	for _, r := range SpellSigns(text) {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
