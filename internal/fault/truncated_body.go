package fault

import (
	"fmt"
	"net/http"
)

func init() {
	Register("truncated_body", func() Fault { return &TruncatedBody{Cut{ContentLength: 100, Bytes: 50}} })
	Register("reset_in_body", func() Fault { return &ResetInBody{Cut{ContentLength: 1000, Bytes: 100}} })
}

// TruncatedBody announces content_length bytes, sends fewer, and ends the
// connection with a FIN.
type TruncatedBody struct {
	Cut `yaml:",inline"`
}

// ResetInBody is the same with a reset, once the client's system has the bytes.
type ResetInBody struct {
	Cut `yaml:",inline"`
}

// Cut is a body that breaks off.
type Cut struct {
	Common          `yaml:",inline"`
	ContentLength   int     `yaml:"content_length"`
	Bytes           int     `yaml:"bytes"`
	ResponseDelayMs float64 `yaml:"response_delay_ms"`
}

// Check returns what is wrong with the fields.
func (f *Cut) Check() []Problem {
	list := problems(checkCount("content_length", f.ContentLength, MaxBodyBytes), checkDelay("response_delay_ms", f.ResponseDelayMs))
	if f.Bytes < 0 || f.Bytes >= f.ContentLength {
		list = append(list, Problem{Field: "bytes", Found: fmt.Sprint(f.Bytes), Want: "0 or more, and fewer than content_length"})
	}
	return list
}

// begin sends as much as comes.
func (f *Cut) begin(ex Exchange) (Wire, error) {
	head := append(rawHead(http.StatusOK, f.ContentLength), endOfHead...)
	w, err := takeOverAfter(ex, ms(f.ResponseDelayMs))
	if err != nil {
		return nil, err
	}
	return w, sendPadded(w, head, ".", f.Bytes)
}

// Serve ends with a FIN.
func (f *TruncatedBody) Serve(ex Exchange) error {
	w, err := f.begin(ex)
	if err != nil {
		return err
	}
	return w.End()
}

// Serve ends with a reset.
func (f *ResetInBody) Serve(ex Exchange) error {
	w, err := f.begin(ex)
	if err != nil {
		return err
	}
	return w.Reset()
}
