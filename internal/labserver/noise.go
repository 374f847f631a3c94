package labserver

import "github.com/deadlinelab/deadlinelab/internal/eventlog"

// noise records one measured deadline of this process in every live log.
func (s *Server) noise(dueNs int64, lateMs float64) {
	for _, x := range s.live() {
		x.record(eventlog.Event{Kind: eventlog.NoiseSampled, DueNs: dueNs, LateMs: lateMs})
	}
}
