package scenario

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/deadlinelab/deadlinelab/internal/nearest"
)

func (w *walker) scalar(path string, n *yaml.Node, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		w.text(path, n, v)
	case reflect.Bool:
		w.boolean(path, n, v)
	case reflect.Int, reflect.Int64:
		w.whole(path, n, v)
	case reflect.Float64:
		w.float(path, n, v)
	default:
		panic("scenario: the key " + path + " has the type " + v.Type().String() + ", which files cannot hold")
	}
}

func (w *walker) text(path string, n *yaml.Node, v reflect.Value) {
	if !isScalar(n, "!!str") {
		w.reject(path, found(n), "text", alone(n, "put it in quotes if it is meant as text"))
		return
	}
	v.SetString(n.Value)
}

func (w *walker) boolean(path string, n *yaml.Node, v reflect.Value) {
	var b bool
	if !isScalar(n, "!!bool") || n.Decode(&b) != nil {
		w.reject(path, found(n), "true or false", alone(n, "write true or false, without quotes"))
		return
	}
	v.SetBool(b)
}

func (w *walker) whole(path string, n *yaml.Node, v reflect.Value) {
	var i int64
	k := keyAt(path)
	if !w.numeric(path, n, k.wanted("a whole number")) {
		return
	}
	if n.Decode(&i) != nil || n.ShortTag() != "!!int" {
		next := "write digits only"
		if digits.MatchString(n.Value) {
			next = k.next() // beyond 64 bits
		}
		w.reject(path, found(n), k.wanted("a whole number"), next)
		return
	}
	if !k.holds(float64(i)) || v.OverflowInt(i) {
		w.reject(path, found(n), k.wanted("a whole number"), k.next())
		return
	}
	v.SetInt(i)
}

func (w *walker) float(path string, n *yaml.Node, v reflect.Value) {
	var f float64
	k := keyAt(path)
	if !w.numeric(path, n, k.wanted("a number")) {
		return
	}
	if n.Decode(&f) != nil || !k.holds(f) {
		w.reject(path, found(n), k.wanted("a finite number"), k.next())
		return
	}
	v.SetFloat(f + 0) // −0 becomes 0
}

// wanted is the kind of value that a key takes, with its range.
func (k key) wanted(kind string) string {
	if !k.bounded() {
		return kind
	}
	return kind + " in " + k.rangeText()
}

// next is what to do about a number outside of the range.
func (k key) next() string {
	if k.Next != "" {
		return k.Next
	}
	return "choose another value"
}

func isScalar(n *yaml.Node, tags ...string) bool {
	for _, t := range tags {
		if n.Kind == yaml.ScalarNode && n.ShortTag() == t {
			return true
		}
	}
	return false
}

func isNull(n *yaml.Node) bool { return isScalar(n, "!!null") }

// found describes a node in a few words.
func found(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case isNull(n):
		return "null"
	case isScalar(n, "!!int", "!!float", "!!bool"):
		return short(n.Value)
	case n.Kind == yaml.ScalarNode && n.ShortTag() != "!!str":
		return short(n.ShortTag()) + " " + strconv.Quote(short(n.Value))
	}
	return strconv.Quote(short(n.Value))
}

func short(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// suggest is the next step after a name that is not known.
func suggest(name string, known []string, otherwise string) string {
	if len(name) < 3 || len(name) > 64 {
		return otherwise // too short to resemble anything, or no name at all
	}
	for _, k := range known {
		if strings.HasPrefix(k, name+"_") {
			return fmt.Sprintf("did you mean %q?", k) // the unit is forgotten most often
		}
	}
	if hint := nearest.DidYouMean(name, known); hint != "" {
		return strings.TrimPrefix(hint, "; ")
	}
	return otherwise
}

// names writes a list of string values as "a, b, c".
func names[T ~string](list []T) string {
	all := make([]string, len(list))
	for i, s := range list {
		all[i] = string(s)
	}
	return strings.Join(all, ", ")
}
