package labserver

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/deadlinelab/deadlinelab/internal/control"
)

const tokenEnv = control.TokenEnv

// refusal is an error that the caller of the API can do something about.
type refusal struct {
	status  int
	message string
	hint    string
}

func (r *refusal) Error() string { return r.message }

func refuse(status int, hint, format string, args ...any) error {
	return &refusal{status: status, message: fmt.Sprintf(format, args...), hint: hint}
}

// asRefusal turns any error into one; what nobody classified is our own defect.
func asRefusal(err error) *refusal {
	var r *refusal
	if errors.As(err, &r) {
		return r
	}
	return &refusal{status: http.StatusInternalServerError, message: err.Error()}
}
