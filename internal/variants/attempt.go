package variants

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// attempt is one call into the HTTP layer: request, whole body, close. The
// limit total_ms covers all of it.
func attempt(ctx context.Context, env *Env) (Response, error) {
	ctx, cancel := withTotal(ctx, env.Policy.Limits.Total)
	defer cancel()
	req, err := http.NewRequestWithContext(WithLimits(ctx, env.Policy.Limits), http.MethodGet, env.URL, nil)
	if err != nil {
		return Response{}, &Error{Outcome: eventlog.ClientError, Err: err}
	}
	client := http.Client{Transport: env.Transport}
	resp, err := client.Do(req)
	if err != nil {
		return Response{}, failure(ctx, err)
	}
	body, err := wholeBody(resp.Body)
	if err != nil {
		return Response{}, failure(ctx, err)
	}
	answer := Response{Status: resp.StatusCode, Body: body}
	return answer, Verify(answer, env.Marker)
}

func withTotal(ctx context.Context, total time.Duration) (context.Context, context.CancelFunc) {
	if total == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, total, ErrAttemptTimeout)
}

func wholeBody(rc io.ReadCloser) ([]byte, error) {
	body, err := io.ReadAll(rc)
	if closed := rc.Close(); err == nil {
		err = closed
	}
	return body, err
}

// Verify tells whether an answer is a success: a 2xx that holds the marker.
// The error is an *Error with unexpected_status or invalid_data.
func Verify(r Response, marker string) error {
	if r.Status < 200 || r.Status > 299 {
		return &Error{Outcome: eventlog.UnexpectedStatus, Err: &StatusError{Status: r.Status}}
	}
	if !bytes.Contains(r.Body, []byte(marker)) {
		return &Error{Outcome: eventlog.InvalidData, Err: fmt.Errorf("the body of %d bytes lacks the marker %q", len(r.Body), marker)}
	}
	return nil
}
