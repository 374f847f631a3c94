package variants

import (
	"context"
	"io"
	"time"
)

// DrainTime and drainBytes bound how much of a failed answer is read so that its
// connection can be used again: not more than a new connection would cost.
const (
	DrainTime  = 20 * time.Millisecond
	drainBytes = 64 << 10
)

// drain reads what nobody wants, and closes it: at most drainBytes, for at most
// DrainTime. Then giveUp, which must end the request, costs the connection.
func drain(body io.ReadCloser, giveUp context.CancelFunc) {
	timer := time.AfterFunc(DrainTime, giveUp)
	defer timer.Stop()
	_, _ = io.Copy(io.Discard, io.LimitReader(body, drainBytes))
	_ = body.Close()
}
