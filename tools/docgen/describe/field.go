package describe

import (
	"reflect"
	"strings"
)

// structField is a field as encoding/json writes it.
type structField struct {
	owner    reflect.Type // the struct that declares it
	typ      reflect.Type
	key      string
	optional bool // left out when empty
}

// fieldsOf lists the fields that are written, those of embedded structs in
// their place.
func fieldsOf(t reflect.Type) []structField {
	var list []structField
	for f := range t.Fields() {
		tag, tagged := f.Tag.Lookup("json")
		switch key, options, _ := strings.Cut(tag, ","); {
		case f.Anonymous && !tagged:
			list = append(list, fieldsOf(f.Type)...)
		case f.IsExported() && key != "-":
			list = append(list, structField{owner: t, typ: f.Type, key: key, optional: options == "omitempty"})
		}
	}
	return list
}

// nullable: without a value it is written as null.
func (f structField) nullable() bool {
	if f.optional {
		return false
	}
	switch f.typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	}
	return false
}
