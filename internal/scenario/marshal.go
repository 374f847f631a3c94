package scenario

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// Marshal writes the scenario as YAML with every default filled in. Parse
// reads it back to an equal scenario, positions aside, and Marshal of that is
// byte for byte the same.
func Marshal(s *Scenario) ([]byte, error) { return write(s.tree()) }

func write(root *yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(root); err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	if err := e.Close(); err != nil {
		return nil, fmt.Errorf("writing YAML: %w", err)
	}
	return b.Bytes(), nil
}

// tree is the scenario as YAML nodes: sections in blocks, what is inside them
// in one line each.
func (s *Scenario) tree() *yaml.Node {
	root := &yaml.Node{Kind: yaml.MappingNode}
	for _, f := range fieldsOf(reflect.ValueOf(s.document()).Elem()) {
		switch {
		case f.omitEmpty && f.value.IsZero():
		case f.key == "scenario":
			u := f.value.Addr().Interface().(*upstream)
			put(root, f.key, section(u.fields()))
		case f.key == "expect":
			put(root, f.key, s.expectTree())
		case f.value.Kind() == reflect.Struct:
			put(root, f.key, section(fieldsOf(f.value)))
		default:
			put(root, f.key, inLine(f.value))
		}
	}
	return root
}

// expectTree is in the order of the variants.
func (s *Scenario) expectTree() *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, v := range s.Variants {
		if e, ok := s.Expect[v]; ok {
			put(n, v, inLine(reflect.ValueOf(&e).Elem()))
		}
	}
	return n
}

func section(fs []field) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, f := range fs {
		if !f.omitEmpty || !f.value.IsZero() {
			put(n, f.key, inLine(f.value))
		}
	}
	return n
}

func put(n *yaml.Node, key string, value *yaml.Node) {
	n.Content = append(n.Content, text(key), value)
}

// inLine encodes any value in flow style.
func inLine(v reflect.Value) *yaml.Node {
	switch x := v.Interface().(type) {
	case *Jitter:
		if x == nil {
			return plain("!!bool", "false")
		}
	case Duration:
		if !x.IsWindow() {
			return plain("!!float", number(x.Ms))
		}
		return ends(x.MinMs, x.MaxMs, "min_ms", "max_ms")
	case Count:
		if x.Min == nil && x.Max == nil {
			return plain("!!int", fmt.Sprint(x.N))
		}
		return ends(x.Min, x.Max, "min", "max")
	case fault.Nested:
		n := section((*upstream)(&x).fields())
		n.Style = yaml.FlowStyle
		return n
	}
	return inLineByKind(v)
}

func inLineByKind(v reflect.Value) *yaml.Node {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return plain("!!null", "null")
		}
		return inLine(v.Elem())
	case reflect.Struct:
		n := section(fieldsOf(v))
		n.Style = yaml.FlowStyle
		return n
	case reflect.Slice:
		n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
		for i := range v.Len() {
			n.Content = append(n.Content, inLine(v.Index(i)))
		}
		return n
	case reflect.String:
		return text(v.String())
	case reflect.Float64:
		return plain("!!float", number(v.Float()))
	case reflect.Bool:
		return plain("!!bool", fmt.Sprint(v.Bool()))
	default:
		return plain("!!int", fmt.Sprint(v.Int()))
	}
}

func ends[T int | float64](lo, hi *T, minKey, maxKey string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	if lo != nil {
		put(n, minKey, inLine(reflect.ValueOf(*lo)))
	}
	if hi != nil {
		put(n, maxKey, inLine(reflect.ValueOf(*hi)))
	}
	return n
}

// plain is a number, a boolean or null. A whole float is written without a
// point, which reads back as the same number.
func plain(tag, value string) *yaml.Node {
	if tag == "!!float" && !strings.Contains(value, ".") {
		tag = "!!int"
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}
}

// text is quoted where a plain word would not read back as the same text.
func text(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			n.Style = yaml.DoubleQuotedStyle
		}
	}
	return n
}
