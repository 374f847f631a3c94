package fault

import (
	"fmt"
	"net/http"
	"time"
)

func init() {
	Register("slow_body", func() Fault { return &SlowBody{Status: http.StatusOK, Chunks: 16, ChunkIntervalMs: 75} })
}

// SlowBody sends the head and the first chunk at once, and each further chunk
// one interval after the one before. Chunk k, counted from 0, is due at k
// intervals after the request's head: a schedule, so that gaps do not add up
// their lateness. The marker is in the last chunk alone.
type SlowBody struct {
	Common          `yaml:",inline"`
	Status          int     `yaml:"status"`
	Chunks          int     `yaml:"chunks"`
	ChunkIntervalMs float64 `yaml:"chunk_interval_ms"`
}

// Check returns what is wrong with the fields.
func (f *SlowBody) Check() []Problem {
	return problems(
		checkStatus("status", f.Status),
		checkBodyAllowed("status", f.Status),
		checkCount("chunks", f.Chunks, MaxChunks),
		checkDelay("chunk_interval_ms", f.ChunkIntervalMs),
		f.checkLength(),
	)
}

func (f *SlowBody) checkLength() *Problem {
	whole := float64(f.Chunks-1) * f.ChunkIntervalMs
	if !(whole > MaxDelayMs) || checkDelay("", f.ChunkIntervalMs) != nil {
		return nil
	}
	return &Problem{Field: "chunks", Found: fmt.Sprintf("a body of %g ms", whole),
		Want: fmt.Sprintf("(chunks - 1) x chunk_interval_ms of at most %d ms", MaxDelayMs)}
}

// Serve writes the head, then the chunks on their schedule.
func (f *SlowBody) Serve(ex Exchange) error {
	if err := ex.DelayUntil(ex.Started()); err != nil {
		return err
	}
	if err := ex.Headers(f.Status, jsonHeader, -1); err != nil {
		return err
	}
	for k := range f.Chunks {
		if err := f.writeChunk(ex, k); err != nil {
			return err
		}
	}
	return ex.Finish()
}

func (f *SlowBody) writeChunk(ex Exchange, k int) error {
	if k > 0 {
		if err := ex.DelayUntil(ex.Started().Add(f.due(k))); err != nil {
			return err
		}
	}
	return ex.Write(f.chunk(k, ex.Marker()))
}

func (f *SlowBody) due(k int) time.Duration { return time.Duration(k) * ms(f.ChunkIntervalMs) }

// chunk is piece k of one JSON text: {"chunks":[0,1,…,"marker"]}.
func (f *SlowBody) chunk(k int, marker string) []byte {
	var p []byte
	if k == 0 {
		p = append(p, `{"chunks":[`...)
	} else {
		p = append(p, ',')
	}
	if k == f.Chunks-1 {
		return fmt.Appendf(p, "%q]}\n", marker)
	}
	return fmt.Appendf(p, "%d", k)
}
