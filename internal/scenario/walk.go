package scenario

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxValues bounds the values that a file expands to, aliases included: nine
// anchors of nine aliases each are a small file and half a billion values.
const maxValues = 20_000

// walker decodes a YAML tree into tagged structs and collects every problem on
// the way. It decodes by itself because yaml.v3 forgets KnownFields inside
// custom decoders and gives no columns.
type walker struct {
	file   string
	pos    map[string]Position
	errs   Errors
	blamed map[blame]bool
	values int // decoded so far, keys included
	limit  int
}

// blame keeps a value that has been reported from being reported again by a
// later check of the same value.
type blame struct {
	Position
	key string
}

func newWalker(file string) *walker {
	return &walker{file: file, pos: map[string]Position{}, blamed: map[blame]bool{}, limit: maxValues}
}

func (w *walker) fail(at Position, key, found, want, next string) {
	b := blame{at, key}
	if w.blamed[b] {
		return
	}
	w.blamed[b] = true
	w.errs = append(w.errs, &Error{File: w.file, Position: at, Key: key, Found: found, Want: want, Next: next})
}

// reject reports the value at a path, or that of the nearest key around it
// that is in the file.
func (w *walker) reject(path, found, want, next string) {
	w.fail(w.at(path), path, found, want, next)
}

func (w *walker) at(path string) Position {
	p, _ := nearestPlace(w.pos, path)
	return p
}

var lastPart = regexp.MustCompile(`(\.[^.\[\]]*|\[\d+\])$`)

// nearestPlace looks for the path, then for what it is in, up to the file's
// root, whose path is empty.
func nearestPlace(pos map[string]Position, path string) (Position, bool) {
	for path != "" {
		if p, ok := pos[path]; ok {
			return p, true
		}
		shorter := lastPart.ReplaceAllString(path, "")
		if shorter == path {
			break
		}
		path = shorter
	}
	p, ok := pos[""]
	return p, ok
}

// has tells whether the key is in the file.
func (w *walker) has(path string) bool { _, ok := w.pos[path]; return ok }

// clean tells whether nothing at or below the path has been reported. The
// empty path is the file as a whole.
func (w *walker) clean(path string) bool {
	for _, e := range w.errs {
		if e.Key == path || path != "" && (strings.HasPrefix(e.Key, path+".") || strings.HasPrefix(e.Key, path+"[")) {
			return false
		}
	}
	return true
}

// value decodes n into v by v's type.
func (w *walker) value(path string, n *yaml.Node, v reflect.Value) {
	w.pos[path] = Position{n.Line, n.Column}
	if w.values++; w.values > w.limit {
		w.fail(w.pos[""], "", fmt.Sprintf("more than %d values", w.limit), "a file of ordinary size", "write repeated parts out instead of nesting aliases")
		return
	}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if decode, ok := decoders[v.Type()]; ok {
		decode(w, path, n, v)
		return
	}
	w.byKind(path, n, v)
}

func (w *walker) byKind(path string, n *yaml.Node, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		w.pointer(path, n, v)
	case reflect.Struct:
		w.fields(path, n, fieldsOf(v))
	case reflect.Slice:
		w.list(path, n, v)
	case reflect.Map:
		w.dictionary(path, n, v)
	default:
		w.scalar(path, n, v)
	}
}

// pointer: null stands for nil, "none".
func (w *walker) pointer(path string, n *yaml.Node, v reflect.Value) {
	if isNull(n) {
		v.SetZero()
		return
	}
	target := reflect.New(v.Type().Elem())
	if v.Type().Elem().Kind() == reflect.Struct && !v.IsNil() {
		target.Elem().Set(v.Elem())
	}
	w.again(path, n, target.Elem())
	v.Set(target)
}

// again decodes the same node into another value without counting it twice.
func (w *walker) again(path string, n *yaml.Node, v reflect.Value) {
	if decode, ok := decoders[v.Type()]; ok {
		decode(w, path, n, v)
		return
	}
	w.byKind(path, n, v)
}

func (w *walker) list(path string, n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.SequenceNode {
		w.reject(path, found(n), "a list, such as [a, b]", "put the value in brackets")
		return
	}
	if len(n.Content) == 0 {
		v.SetZero()
		return
	}
	all := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i := range all.Len() {
		if w.values > w.limit {
			return
		}
		w.value(fmt.Sprintf("%s[%d]", path, i), n.Content[i], all.Index(i))
	}
	v.Set(all)
}

func (w *walker) dictionary(path string, n *yaml.Node, v reflect.Value) {
	v.Set(reflect.MakeMap(v.Type()))
	w.pairs(path, n, func(k, val *yaml.Node) {
		item := reflect.New(v.Type().Elem()).Elem()
		w.value(join(path, k.Value), val, item)
		v.SetMapIndex(reflect.ValueOf(k.Value), item)
	})
}

// fields decodes a mapping into the fields of a struct.
func (w *walker) fields(path string, n *yaml.Node, fs []field) {
	w.pairs(path, n, func(k, val *yaml.Node) {
		for _, f := range fs {
			if f.key == k.Value {
				w.value(join(path, f.key), val, f.value)
				return
			}
		}
		w.unknown(path, k, fs)
	})
}

// pairs calls visit for every key of a mapping, each key once.
func (w *walker) pairs(path string, n *yaml.Node, visit func(k, val *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		w.reject(path, found(n), "a mapping of keys to values", "write its keys below it, indented, one a line")
		return
	}
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content) && w.values <= w.limit; i += 2 {
		k := n.Content[i]
		w.values++
		at := Position{k.Line, k.Column}
		if k.Kind != yaml.ScalarNode {
			w.fail(at, join(path, "?"), found(k)+" as a key", "a name as a key", "write a plain word before the colon")
			continue
		}
		if line, dup := first[k.Value]; dup {
			w.fail(at, join(path, k.Value), "the key a second time", "each key once", fmt.Sprintf("remove this one or that in line %d", line))
			continue
		}
		first[k.Value] = k.Line
		visit(k, n.Content[i+1])
	}
}

func (w *walker) unknown(path string, k *yaml.Node, fs []field) {
	at, key := Position{k.Line, k.Column}, join(path, k.Value)
	names := make([]string, len(fs))
	for i, f := range fs {
		names[i] = f.key
	}
	want := "one of " + strings.Join(names, ", ")
	switch {
	case reserved[k.Value] && path == "":
		w.fail(at, key, "a reserved key", "only keys that this version supports", "remove it: its meaning is agreed, but nothing acts on it yet")
	case k.Value == "<<":
		w.fail(at, key, "a merge key", want, "write the merged keys out")
	case path == "operation" && topLevel(k.Value):
		w.fail(at, key, "a key of the file's top", want, "write it without indentation")
	default:
		w.fail(at, key, "an unknown key", want, suggest(k.Value, names, "remove it"))
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
