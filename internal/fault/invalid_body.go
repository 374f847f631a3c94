package fault

import "net/http"

func init() {
	Register("bad_gzip", func() Fault { return &BadGzip{} })
	Register("malformed_json", func() Fault { return &MalformedJSON{} })
	Register("wrong_types", func() Fault { return &WrongTypes{} })
	Register("missing_marker", func() Fault { return &MissingMarker{} })
}

// Invalid is a complete 200 that is not the answer that was asked for.
type Invalid struct {
	Common          `yaml:",inline"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *Invalid) Check() []Problem {
	return problems(checkDelay("response_delay_ms", f.ResponseDelayMs))
}

func (f *Invalid) serve(ex Exchange, header http.Header, body []byte) error {
	if err := ex.DelayUntil(ex.Started().Add(ms(f.ResponseDelayMs))); err != nil {
		return err
	}
	return respondWith(ex, http.StatusOK, header, body)
}

// BadGzip says gzip and sends plain text.
type BadGzip struct {
	Invalid `yaml:",inline"`
}

// MalformedJSON says JSON and sends none.
type MalformedJSON struct {
	Invalid `yaml:",inline"`
}

// WrongTypes has the right keys with values of other types.
type WrongTypes struct {
	Invalid `yaml:",inline"`
}

// MissingMarker is valid JSON of somebody else.
type MissingMarker struct {
	Invalid `yaml:",inline"`
}

// Serve sends plain bytes under Content-Encoding: gzip.
func (f *BadGzip) Serve(ex Exchange) error {
	header := http.Header{"Content-Type": jsonHeader["Content-Type"], "Content-Encoding": {"gzip"}}
	return f.serve(ex, header, bodyOf(ex, http.StatusOK))
}

// Serve sends a text that no JSON parser takes.
func (f *MalformedJSON) Serve(ex Exchange) error {
	return f.serve(ex, jsonHeader, []byte("{\"marker\":,]\n"))
}

// Serve sends a number where a text belongs.
func (f *WrongTypes) Serve(ex Exchange) error {
	return f.serve(ex, jsonHeader, []byte("{\"marker\":503}\n"))
}

// Serve sends a text without the marker.
func (f *MissingMarker) Serve(ex Exchange) error {
	return f.serve(ex, jsonHeader, []byte("{\"status\":\"ok\"}\n"))
}
