package report

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// upstreamText is the fault in words: its type, its fields with their units,
// when the caller cancels, and what the handler does when the client has left.
func upstreamText(s *scenario.Scenario) string {
	var fields yaml.Node
	if s.Fault == nil || fields.Encode(s.Fault) != nil {
		return plain(s.Type)
	}
	text := s.Type
	if words := inWords(&fields); words != "" {
		text += ": " + words
	}
	text += cancelInWords(&fields)
	if s.Fault.HandlerCancellation() {
		return plain(text + "; stops when the client has left")
	}
	return plain(text + "; works on when the client has left")
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

// mappingInWords leaves out what is not set, and what is said apart.
func mappingInWords(n *yaml.Node) string {
	var parts []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		if saidApart[key] || value.Tag == "!!null" || value.Kind == yaml.SequenceNode && len(value.Content) == 0 {
			continue
		}
		parts = append(parts, fieldInWords(key, value))
	}
	return strings.Join(parts, ", ")
}

// cancelInWords says when the caller cancels, where a fault has it cancel.
func cancelInWords(fields *yaml.Node) string {
	var event, delay string
	for i := 0; i+1 < len(fields.Content); i += 2 {
		switch fields.Content[i].Value {
		case "trigger_event":
			event = fields.Content[i+1].Value
		case "delay_after_event_ms":
			delay = fields.Content[i+1].Value
		}
	}
	if event == "" {
		return ""
	}
	return "; the caller cancels " + delay + " ms after " + event
}

// saidApart are the keys that have a clause of their own.
var saidApart = map[string]bool{"handler_cancellation": true, "trigger_event": true, "delay_after_event_ms": true}

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
