package runner

import (
	"context"
	"math"

	"github.com/deadlinelab/deadlinelab/internal/clock"
)

// clockExchanges is how often the server's clock is read when it is another
// one; the quickest exchange bounds the offset best.
const clockExchanges = 20

// alignClocks finds out how the server's times relate to ours. Two processes
// share a clock when their boot ids are equal and the server's time lies
// between the call and the answer; the latter fails across time namespaces.
func (r *run) alignClocks(ctx context.Context) error {
	first, narrowest := true, int64(math.MaxInt64)
	for range clockExchanges {
		before := r.clock.Now()
		reading, err := r.control.Clock(ctx)
		if err != nil {
			return err
		}
		after := r.clock.Now()
		if first && reading.BootID != "" && reading.BootID == clock.BootID() && before <= reading.TNs && reading.TNs <= after {
			r.result.Clock = Clock{Shared: true}
			return nil
		}
		first = false
		if trip := after - before; trip < narrowest {
			narrowest = trip
			r.result.Clock = Clock{OffsetNs: before + trip/2 - reading.TNs, BoundNs: trip/2 + 1}
		}
	}
	return nil
}
