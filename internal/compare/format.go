package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// formats write a comparison to a buffer, so that nothing half is ever printed.
var formats = map[string]func(*bytes.Buffer, *Comparison) error{"text": writeText, "markdown": writeMarkdown, "json": writeJSON}

// Formats lists the formats of a comparison.
func Formats() []string { return []string{"text", "markdown", "json"} }

// Write writes the comparison in the named format.
func (c *Comparison) Write(format string, w io.Writer) error {
	f, known := formats[format]
	if !known {
		return fmt.Errorf("format %q: expected %s", format, strings.Join(Formats(), ", "))
	}
	var b bytes.Buffer
	if err := f(&b, c); err != nil {
		return fmt.Errorf("comparison as %s: %w", format, err)
	}
	if _, err := b.WriteTo(w); err != nil {
		return fmt.Errorf("comparison as %s: %w", format, err)
	}
	return nil
}

func writeJSON(b *bytes.Buffer, c *Comparison) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(c)
}

// old and new are a mix's sides as text, "success 88, deadline_exceeded 2".
func (m Shares) old() string { return m.side(" ", func(s Share) int { return s.Old.Count }) }

func (m Shares) new() string { return m.side(" ", func(s Share) int { return s.New.Count }) }

func (m Shares) side(times string, of func(Share) int) string {
	var parts []string
	for _, s := range m {
		if n := of(s); n > 0 {
			parts = append(parts, fmt.Sprintf("%s%s%d", s.Value, times, n))
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}

func (m Shares) text() string { return m.old() + " → " + m.new() }

// countText writes counts of numbers, "2 × 88, 3 × 2 → 2 × 90".
func (m Shares) countText() string {
	return m.side(" × ", func(s Share) int { return s.Old.Count }) + " → " + m.side(" × ", func(s Share) int { return s.New.Count })
}

// moves tells whether any share is another one, within chance or not.
func (m Shares) moves() bool {
	return slices.ContainsFunc(m, func(s Share) bool { return s.Old.share() != s.New.share() })
}

func (s Series) variant() string {
	if s.Old.Variant == s.New.Variant {
		return named(s.Old.Label, s.Old.Variant)
	}
	return s.Old.Label + " → " + s.New.Label
}

func (n Name) String() string { return n.Scenario + " " + named(n.Label, n.Variant) }

// named is "D operation_deadline"; a variant without a letter has only a name.
func named(label, variant string) string {
	if label == variant || label == "" {
		return variant
	}
	return label + " " + variant
}

// medians is "20.5 → 40.7"; past the deadline "over +0.6 → +20.7".
func (t Time) medians() string {
	if t.Figure == overshoot {
		return fmt.Sprintf("over %s → %s", signed(t.Old.Median), signed(t.New.Median))
	}
	return fmt.Sprintf("%.1f → %.1f", t.Old.Median, t.New.Median)
}

func (t Time) difference() string {
	if t.Verdict == Changed {
		return "counts changed"
	}
	interval := "[none]"
	if t.Interval != nil {
		interval = fmt.Sprintf("[%s, %s]", signed(t.Interval[0]), signed(t.Interval[1]))
	}
	return fmt.Sprintf("%s %s of %.1f", signed(t.Difference), interval, t.Margin.Ms)
}

func signed(ms float64) string { return fmt.Sprintf("%+.1f", round(ms, 1)) }

// remarks are what a reader must know of a series beside its figures, one line
// each. A doubt that all series share is said once, above them.
func (s Series) remarks(shared string) (list []string) {
	say := func(when bool, format string, args ...any) {
		if when {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	e := s.Ending
	said, doubt := e.Verdict != Same, ""
	if !said {
		doubt = ": within chance"
	}
	say(said || e.Outcomes.moves(), "outcome: %s%s", e.Outcomes.text(), doubt)
	say(said || e.Promise.moves(), "promise: %s%s", e.Promise.text(), doubt)
	say(e.Reason != "", "%s", e.Reason)
	for _, c := range []struct {
		what  string
		count *Count
	}{{"attempts", s.Attempts}, {"server requests", s.ServerRequests}} {
		if c.count != nil && c.count.Shares.moves() {
			list = append(list, c.count.remark(c.what))
		}
	}
	for _, t := range s.Times {
		say(t.Reason != "" && t.Verdict != Same, "%s: %s", t.Outcome, t.Reason)
	}
	say(s.Doubt != "" && s.Doubt != shared, "inconclusive: %s", s.Doubt)
	return list
}

func (c *Count) remark(what string) string {
	switch {
	case c.Changed && c.Reason == "":
		return fmt.Sprintf("counts changed: %s %s: %s", what, c.Shares.countText(), c.Verdict)
	case c.Changed:
		return fmt.Sprintf("counts changed: %s %s: %s", what, c.Shares.countText(), c.Reason)
	case c.Reason != "":
		return fmt.Sprintf("%s %s: %s", what, c.Shares.countText(), c.Reason)
	}
	return fmt.Sprintf("%s %s: within chance", what, c.Shares.countText())
}

// summary is the verdict as one sentence.
func (c *Comparison) summary() string {
	text := string(c.Verdict)
	switch {
	case !c.Old.Complete || !c.New.Complete:
		text += ", a run is incomplete"
	case c.Verdict == Worse:
		text += ", a regression"
	case c.vanished() > 0:
		text += fmt.Sprintf(", %d series of old are missing in new", c.vanished())
	case c.Verdict == Same:
		text += ", no difference"
	}
	return text + " (" + c.Counts.String() + ")"
}

func (s Side) text() string {
	text := s.Name + ", noise floor p95 "
	if s.NoiseFloor == nil {
		text += "not measured"
	} else {
		text += fmt.Sprintf("%.1f ms", *s.NoiseFloor)
	}
	if !s.Complete {
		text += ", incomplete: " + s.Why
	}
	return text
}

func joined(list []Name) string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = n.String()
		if n.Reason != "" {
			texts[i] += " (" + n.Reason + ")"
		}
	}
	return strings.Join(texts, ", ")
}
