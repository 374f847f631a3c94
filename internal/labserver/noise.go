package labserver

import (
	"math/rand/v2"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// startNoise measures how late deadlines are in this process: a stall that
// hits it is then in the log of every experiment that it may have disturbed.
// The phase is random on purpose and decides nothing that a script does.
func (s *Server) startNoise() (stop func()) {
	rnd := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	return clock.StartNoise(s.cfg.Clock, rnd, s.recordNoise)
}

func (s *Server) recordNoise(dueNs int64, late time.Duration) {
	for _, x := range s.live() {
		x.record(eventlog.Event{Kind: eventlog.NoiseSampled, DueNs: dueNs, LateMs: float64(late) / 1e6})
	}
}
