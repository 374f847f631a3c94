package scenario

import (
	"reflect"
	"strings"
)

// field is one key of a struct with the place of its value.
type field struct {
	key       string
	omitEmpty bool
	value     reflect.Value
}

// fieldsOf lists the keys of an addressable struct in their order, those of
// inline structs among them. A field without a yaml tag is not a key.
func fieldsOf(v reflect.Value) []field {
	var all []field
	for i := range v.NumField() {
		tag, ok := v.Type().Field(i).Tag.Lookup("yaml")
		if !ok || tag == "-" {
			continue
		}
		key, options, _ := strings.Cut(tag, ",")
		if options == "inline" {
			all = append(all, fieldsOf(v.Field(i))...)
			continue
		}
		all = append(all, field{key, options == "omitempty", v.Field(i)})
	}
	return all
}
