package variants

import (
	"bytes"
	"compress/gzip"
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
	resp, err := send(ctx, env, &http.Client{Transport: env.Transport})
	if err != nil {
		return Response{}, err
	}
	return receive(ctx, env, resp)
}

func withTotal(ctx context.Context, total time.Duration) (context.Context, context.CancelFunc) {
	if total == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, total, ErrAttemptTimeout)
}

// send is an attempt up to the response head.
func send(ctx context.Context, env *Env, client *http.Client) (*http.Response, error) {
	req, err := newRequest(WithLimits(ctx, env.Policy.Limits), env)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, failure(ctx, err)
	}
	return resp, nil
}

// receive is the rest of an attempt: the whole body, closed, and what it holds.
func receive(ctx context.Context, env *Env, resp *http.Response) (Response, error) {
	body, err := wholeBody(resp.Body)
	if err != nil {
		return Response{}, failure(ctx, err)
	}
	if body, err = decoded(body, resp.Header.Get("Content-Encoding")); err != nil {
		return Response{}, &Error{Outcome: eventlog.InvalidData, Err: err}
	}
	answer := Response{Status: resp.StatusCode, Header: resp.Header, Body: body}
	return answer, Verify(answer, env.Marker)
}

func wholeBody(rc io.ReadCloser) ([]byte, error) {
	body, err := io.ReadAll(rc)
	if closed := rc.Close(); err == nil {
		err = closed
	}
	return body, err
}

// decoded is the body without its encoding. The bench's transport leaves that
// to the client, so that the bytes it counts are those on the wire.
func decoded(body []byte, encoding string) ([]byte, error) {
	if encoding != "gzip" {
		return body, nil
	}
	plain, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(plain)
}

// Verify tells whether an answer is a success: a 2xx that holds the marker.
// The error is an *Error with unexpected_status or invalid_data.
func Verify(r Response, marker string) error {
	if !is2xx(r.Status) {
		return &Error{Outcome: eventlog.UnexpectedStatus, Err: &StatusError{Status: r.Status, RetryAfter: r.Header.Get("Retry-After")}}
	}
	if !bytes.Contains(r.Body, []byte(marker)) {
		return &Error{Outcome: eventlog.InvalidData, Err: fmt.Errorf("the body of %d bytes lacks the marker %q", len(r.Body), marker)}
	}
	return nil
}

func is2xx(status int) bool { return status >= 200 && status <= 299 }
