package scenario

import (
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// decoders read the types whose YAML form is not that of their Go type.
var decoders map[reflect.Type]func(w *walker, path string, n *yaml.Node, v reflect.Value)

func init() {
	decoders = map[reflect.Type]func(*walker, string, *yaml.Node, reflect.Value){
		reflect.TypeFor[*Jitter]():  decodeJitter,
		reflect.TypeFor[Duration](): decodeDuration,
		reflect.TypeFor[Count]():    decodeCount,
		reflect.TypeFor[upstream](): decodeUpstream,

		reflect.TypeFor[fault.Nested](): decodeNested,

		reflect.TypeFor[*Scenario](): decodeScenario,
	}
}

// decodeJitter: false, or {min_ms, max_ms}.
func decodeJitter(w *walker, path string, n *yaml.Node, v reflect.Value) {
	if isScalar(n, "!!bool") && strings.EqualFold(n.Value, "false") {
		v.SetZero()
		return
	}
	if n.Kind != yaml.MappingNode {
		w.reject(path, found(n), "false or {min_ms, max_ms}", "write false for no jitter")
		return
	}
	j := &Jitter{}
	w.fields(path, n, fieldsOf(reflect.ValueOf(j).Elem()))
	v.Set(reflect.ValueOf(j))
}

// decodeDuration: a number of milliseconds, or {min_ms, max_ms}.
func decodeDuration(w *walker, path string, n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.MappingNode {
		w.float(path, n, v.FieldByName("Ms"))
		return
	}
	var ends struct {
		MinMs *float64 `yaml:"min_ms"`
		MaxMs *float64 `yaml:"max_ms"`
	}
	w.fields(path, n, fieldsOf(reflect.ValueOf(&ends).Elem()))
	v.Set(reflect.ValueOf(Duration{MinMs: ends.MinMs, MaxMs: ends.MaxMs}))
	window(w, path, ends.MinMs, ends.MaxMs, "min_ms", "max_ms")
}

// decodeCount: an exact number, or {min, max}.
func decodeCount(w *walker, path string, n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.MappingNode {
		w.whole(path, n, v.FieldByName("N"))
		return
	}
	var ends struct {
		Min *int `yaml:"min"`
		Max *int `yaml:"max"`
	}
	w.fields(path, n, fieldsOf(reflect.ValueOf(&ends).Elem()))
	v.Set(reflect.ValueOf(Count{Min: ends.Min, Max: ends.Max}))
	window(w, path, ends.Min, ends.Max, "min", "max")
}

// window refuses one that is empty or that nothing can be in.
func window[T int | float64](w *walker, path string, lo, hi *T, minKey, maxKey string) {
	if !w.clean(path) {
		return
	}
	if lo == nil && hi == nil {
		w.reject(path, "a window without ends", minKey+", "+maxKey+" or both", "give at least one of them")
	}
	if lo != nil && hi != nil && *lo > *hi {
		w.reject(path, minKey+" "+number(float64(*lo))+" above "+maxKey+" "+number(float64(*hi)), minKey+" ≤ "+maxKey, "swap them")
	}
}

// decodeUpstream: "type" selects the fault, the other keys are its own.
func decodeUpstream(w *walker, path string, n *yaml.Node, v reflect.Value) {
	u := v.Addr().Interface().(*upstream)
	if n.Kind == yaml.MappingNode && !w.choose(path, n, u) {
		return
	}
	w.fields(path, n, u.fields())
}

// decodeNested: a step of a sequence is written as an upstream is.
func decodeNested(w *walker, path string, n *yaml.Node, v reflect.Value) {
	decodeUpstream(w, path, n, v.Addr().Convert(reflect.TypeFor[*upstream]()).Elem())
}

// choose makes the fault that "type" names; without one its keys mean nothing.
func (w *walker) choose(path string, n *yaml.Node, u *upstream) bool {
	at := join(path, "type")
	t := lookUp(n, "type")
	if t == nil {
		return false
	}
	w.value(at, t, reflect.ValueOf(&u.Type).Elem())
	if !w.clean(at) {
		return false
	}
	f, ok := fault.New(u.Type)
	if !ok {
		w.reject(at, found(t), "one of "+names(fault.Names()), suggest(u.Type, fault.Names(), "choose one of these"))
		return false
	}
	u.Fault = f
	return true
}

func lookUp(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Kind == yaml.ScalarNode && n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// fields are "type" and those of the fault, which must be a pointer to a struct.
func (u *upstream) fields() []field {
	own := []field{{key: "type", value: reflect.ValueOf(&u.Type).Elem()}}
	if u.Fault == nil {
		return own
	}
	return append(own, fieldsOf(reflect.ValueOf(u.Fault).Elem())...)
}
