package wording

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/textui"
)

// UpstreamText is the fault in words: its type, its fields with their units,
// what happens around it, and what the handler does when the client has left.
func UpstreamText(s *scenario.Scenario) string {
	var fields yaml.Node
	if s.Fault == nil || fields.Encode(s.Fault) != nil {
		return textui.Plain(s.Type)
	}
	text := s.Type
	fields.Content = without(fields.Content, saidApart(s))
	if words := inWords(&fields); words != "" {
		text += ": " + words
	}
	text += around(s)
	if s.Fault.HandlerCancellation() {
		return textui.Plain(text + "; handler stops when the client has left")
	}
	return textui.Plain(text + "; handler works on when the client has left")
}

// saidApart are the keys that have a clause of their own.
func saidApart(s *scenario.Scenario) []string {
	keys, a := []string{"handler_cancellation"}, s.Fault.Arrangement()
	if a.CancelOn != "" {
		keys = append(keys, "trigger_event", "delay_after_event_ms")
	}
	if a.HoldSlot > 0 || a.HoldConnection > 0 {
		keys = append(keys, "hold_ms")
	}
	return keys
}

// without takes pairs of key and value out of a mapping.
func without(pairs []*yaml.Node, keys []string) []*yaml.Node {
	var kept []*yaml.Node
	for i := 0; i+1 < len(pairs); i += 2 {
		if !slices.Contains(keys, pairs[i].Value) {
			kept = append(kept, pairs[i], pairs[i+1])
		}
	}
	return kept
}

// inWords reads a value as one would say it.
func inWords(n *yaml.Node) string {
	gap := ", "
	switch n.Kind {
	case yaml.MappingNode:
		return mappingInWords(n)
	case yaml.SequenceNode:
		if len(n.Content) > 0 && n.Content[0].Kind != yaml.ScalarNode {
			gap = "; then "
		}
	default:
		return n.Value
	}
	var parts []string
	for _, one := range n.Content {
		parts = append(parts, inWords(one))
	}
	return strings.Join(parts, gap)
}

// mappingInWords leaves out what is not set.
func mappingInWords(n *yaml.Node) string {
	var parts []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		if value.Tag == "!!null" || value.Kind == yaml.SequenceNode && len(value.Content) == 0 {
			continue
		}
		parts = append(parts, fieldInWords(key, value))
	}
	return strings.Join(parts, ", ")
}

// around says what happens on the client's side meanwhile: who stands in the
// way, and when the caller cancels.
func around(s *scenario.Scenario) string {
	a := s.Fault.Arrangement()
	var text string
	add := func(when bool, clause string) {
		if when {
			text += "; " + clause
		}
	}
	add(a.HoldSlot > 0, "another call holds the only slot for "+durationText(a.HoldSlot))
	add(a.HoldConnection > 0, "another call holds the only connection for "+durationText(a.HoldConnection))
	add(a.HoldListener > 0, "nobody accepts the connection for "+durationText(a.HoldListener))
	add(a.LeadUntil != "", "another call goes first, and this one starts at its "+string(a.LeadUntil))
	add(a.CancelOn != "", "the caller cancels "+durationText(a.CancelAfter)+" after "+string(a.CancelOn))
	return text
}

func durationText(d time.Duration) string { return fmt.Sprintf("%g ms", float64(d)/1e6) }

// fieldInWords is "response delay 800 ms" for response_delay_ms: 800.
func fieldInWords(key string, value *yaml.Node) string {
	name, isTime := strings.CutSuffix(key, "_ms")
	text := strings.ReplaceAll(name, "_", " ")
	switch {
	case value.Kind == yaml.SequenceNode && value.Content[0].Kind == yaml.MappingNode:
		return inWords(value)
	case value.Kind == yaml.MappingNode:
		text += " (" + inWords(value) + ")"
	default:
		text += " " + inWords(value)
	}
	if isTime {
		text += " ms"
	}
	return text
}
