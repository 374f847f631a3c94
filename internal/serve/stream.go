package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// A browser that does not take an event within writeWithin is given up: its
// run ends as if it had left.
const writeWithin = 5 * time.Second

// stream is an answer in the format of server-sent events. It has one writer.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func newStream(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	return &stream{w: w, control: http.NewResponseController(w)}
}

// send writes one event. Its data is JSON, which has no line ends.
func (s *stream) send(event string, data any) error {
	text, err := inOneLine(data)
	if err != nil {
		return fmt.Errorf("event %s: %w", event, err)
	}
	if err := s.control.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil {
		return fmt.Errorf("event %s: %w", event, err)
	}
	if _, err := fmt.Fprintf(s.w, "event: %s\ndata: %s\n\n", event, text); err != nil {
		return fmt.Errorf("event %s: %w", event, err)
	}
	return s.control.Flush()
}

// inOneLine is data as JSON, drawings without an escape for each bracket: they
// are no part of a page before they are taken out again.
func inOneLine(data any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(data)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
