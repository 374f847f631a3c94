package adapter

import "encoding/json"

// MarshalJSON writes bytes in every body_finished and planned_ms in every
// backoff_started, be they 0.
func (e Event) MarshalJSON() ([]byte, error) {
	type plain Event
	line := struct {
		plain
		Bytes     *int64   `json:"bytes,omitempty"`
		PlannedMs *float64 `json:"planned_ms,omitempty"`
	}{plain: plain(e)}
	if e.Bytes != 0 || e.Event == BodyFinished {
		line.Bytes = &e.Bytes
	}
	if e.PlannedMs != 0 || e.Event == BackoffStarted {
		line.PlannedMs = &e.PlannedMs
	}
	return json.Marshal(line)
}
