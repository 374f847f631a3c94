package variants

import (
	"net/http"
	"time"
)

// keepIdle is for how long a tuned client keeps an idle connection: shorter
// than servers do, so that a request does not meet a connection that the
// server is just closing.
const keepIdle = 50 * time.Millisecond

// HeaderLimit is the policy's limit for the wait for a response head:
// sock_read_ms, else total_ms.
func HeaderLimit(p Policy) time.Duration {
	if p.Limits.SockRead > 0 {
		return p.Limits.SockRead
	}
	return p.Limits.Total
}

// limitHeaders sets ResponseHeaderTimeout: from the request written to the
// response head, the body not included.
func limitHeaders(t *http.Transport, p Policy) { t.ResponseHeaderTimeout = HeaderLimit(p) }
