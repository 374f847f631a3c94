package variants

import (
	"context"
	"io"
	"net/http"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Headers by which a server knows an operation again over all its attempts.
const (
	requestIDHeader      = "Deadlinelab-Request-Id"
	idempotencyKeyHeader = "Idempotency-Key"
)

// newRequest is the request of one attempt, with a body of its own.
func newRequest(ctx context.Context, env *Env) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, env.Method, env.URL, nil)
	if err != nil {
		return nil, &Error{Outcome: eventlog.ClientError, Err: err}
	}
	if env.BodyBytes > 0 {
		req.ContentLength = env.BodyBytes
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(io.LimitReader(filler{}, env.BodyBytes)), nil }
		req.Body, _ = req.GetBody()
		if env.ExpectContinue {
			req.Header.Set("Expect", "100-continue")
		}
	}
	if env.RequestID != "" {
		req.Header.Set(requestIDHeader, env.RequestID)
	}
	if env.IdempotencyKey != "" {
		req.Header.Set(idempotencyKeyHeader, env.IdempotencyKey)
	}
	return req, nil
}

// filler is what request bodies are made of.
type filler struct{}

func (filler) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// Repeatable tells whether sending the request twice has the effect of sending
// it once: by its method, or because a key lets the server know it again.
func (e *Env) Repeatable() bool {
	switch e.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete, http.MethodOptions, http.MethodTrace:
		return true
	}
	return e.IdempotencyKey != ""
}
