package fault

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Serve answers one exchange with f. A probe asks whether slots, pool and
// server still serve after the fault, so it is answered at once, whatever f is.
func Serve(f Fault, ex Exchange) error {
	if isProbe(ex) {
		return respond(ex, http.StatusOK)
	}
	return f.Serve(ex)
}

// respondAfter waits until delay after the request's head, then answers.
func respondAfter(ex Exchange, delay time.Duration, status int) error {
	if err := ex.DelayUntil(ex.Started().Add(delay)); err != nil {
		return err
	}
	return respond(ex, status)
}

// respond answers completely and at once.
func respond(ex Exchange, status int) error {
	return respondWith(ex, status, jsonHeader, bodyOf(ex, status))
}

// respondWith answers with that head and body at once.
func respondWith(ex Exchange, status int, header http.Header, body []byte) error {
	if err := ex.Headers(status, header, int64(len(body))); err != nil {
		return err
	}
	if len(body) > 0 {
		if err := ex.Write(body); err != nil {
			return err
		}
	}
	return ex.Finish()
}

// bodyOf is JSON text: with the marker for a success, without it otherwise.
func bodyOf(ex Exchange, status int) []byte {
	switch {
	case status == http.StatusNoContent || status == http.StatusNotModified:
		return nil
	case status < 300:
		body := make([]byte, 0, 64+len(ex.Marker()))
		return append(strconv.AppendQuote(append(body, `{"marker":`...), ex.Marker()), "}\n"...)
	default:
		return fmt.Appendf(nil, "{\"error\":\"scripted status %d\"}\n", status)
	}
}

// jsonHeader is shared: an Exchange only reads it.
var jsonHeader = http.Header{"Content-Type": {"application/json"}}
