package control

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// ErrorBody is the JSON body of every answer with a 4xx or 5xx status.
type ErrorBody struct {
	Error string `json:"error"`          // what was found and what was expected
	Hint  string `json:"hint,omitempty"` // the next step
}

// APIError is an answer of labserver that is not a 2xx.
type APIError struct {
	Status  int
	Message string
	Hint    string
}

func (e *APIError) Error() string {
	if e.Hint == "" {
		return fmt.Sprintf("labserver: %s (%d)", e.Message, e.Status)
	}
	return fmt.Sprintf("labserver: %s (%d); hint: %s", e.Message, e.Status, e.Hint)
}

// TimedOut tells that a wait (Held, Wait) ended without what it waited for.
func (e *APIError) TimedOut() bool { return e.Status == http.StatusGatewayTimeout }

// apiError reads the error out of an answer; a body that is not labserver's
// own, as from a proxy in between, is quoted in part.
func apiError(res *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(res.Body, 4<<10))
	var b ErrorBody
	if json.Unmarshal(text, &b) == nil && b.Error != "" {
		return &APIError{Status: res.StatusCode, Message: b.Error, Hint: b.Hint}
	}
	return &APIError{Status: res.StatusCode, Message: fmt.Sprintf("unexpected answer %q", strings.TrimSpace(string(text))),
		Hint: "is this the address of labserver's control API?"}
}
