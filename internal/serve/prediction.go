package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// prediction is what somebody expects of one variant. What was left open is
// empty or nil.
type prediction struct {
	Variant    string           `json:"variant"`
	Promise    timeline.Promise `json:"promise"`
	DurationMs *float64         `json:"duration_ms"`
	Requests   *int             `json:"requests"`
}

const (
	longestBody       = 16 << 10 // bytes of a request
	longestPrediction = 600_000  // ms
	mostRequests      = 1000
)

// readPredictions reads a request's body: {"predictions":[…]}, at most one for
// each contrast variant.
func readPredictions(body io.Reader, s *scenario.Scenario) (map[string]prediction, error) {
	var request struct {
		Predictions []prediction `json:"predictions"`
	}
	decoder := json.NewDecoder(body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&request); err != nil {
		return nil, fmt.Errorf("the body is not the JSON that was expected: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the body goes on after its JSON object")
	}
	known := map[string]prediction{}
	for i, p := range request.Predictions {
		if err := p.check(s); err != nil {
			return nil, fmt.Errorf("predictions[%d].%w", i, err)
		}
		if _, twice := known[p.Variant]; twice {
			return nil, fmt.Errorf("predictions[%d].variant: named twice, expected one prediction for each", i)
		}
		known[p.Variant] = p
	}
	return known, nil
}

func (p prediction) check(s *scenario.Scenario) error {
	switch {
	case !slices.Contains(s.Contrast, p.Variant):
		return fmt.Errorf("variant: found %q, expected one of %q", p.Variant, s.Contrast)
	case p.Promise != "" && !slices.Contains(timeline.Promises, p.Promise):
		return fmt.Errorf("promise: found %q, expected one of %q", p.Promise, timeline.Promises)
	case p.DurationMs != nil && (*p.DurationMs < 0 || *p.DurationMs > longestPrediction):
		return fmt.Errorf("duration_ms: found %v, expected 0 to %d", *p.DurationMs, longestPrediction)
	case p.Requests != nil && (*p.Requests < 0 || *p.Requests > mostRequests):
		return fmt.Errorf("requests: found %d, expected 0 to %d", *p.Requests, mostRequests)
	}
	return nil
}
