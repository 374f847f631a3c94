package labserver

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"reflect"
	"strings"
	"time"
)

const (
	maxBodyBytes = 1 << 20  // of a control request
	maxBulkBytes = 16 << 20 // of a bulk registration
)

// decode reads the one JSON value of a request's body into v and refuses what
// v has no field for. An empty body leaves v as it is.
func decode(w http.ResponseWriter, r *http.Request, most int64, v any) error {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, most))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err != nil && !errors.Is(err, io.EOF) {
		return badBody(err, v)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return badBody(errors.New("more follows the first JSON value"), v)
	}
	return http.NewResponseController(w).SetReadDeadline(time.Time{})
}

func badBody(err error, v any) error {
	hint := "expected one JSON object with the fields " + strings.Join(fieldsOf(reflect.TypeOf(v).Elem()), ", ")
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return refuse(http.StatusRequestTimeout, "", "body: not complete within %s", bodyWithin)
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return refuse(http.StatusRequestEntityTooLarge, "", "body: expected at most %d bytes", large.Limit)
	}
	return refuse(http.StatusBadRequest, hint, "body: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// fieldsOf names the JSON fields of a struct type.
func fieldsOf(t reflect.Type) []string {
	var names []string
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}
