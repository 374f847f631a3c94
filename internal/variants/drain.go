package variants

import (
	"context"
	"io"
	"time"
)

// A failed answer is read to its end so that its connection can be used again,
// as long as that costs less than a new connection.
const (
	drainBytes = 64 << 10
	drainTime  = 20 * time.Millisecond
)

// drain reads what nobody wants, and closes it: at most drainBytes, for at most
// drainTime. Then giveUp, which must end the request, costs the connection.
func drain(body io.ReadCloser, giveUp context.CancelFunc) {
	timer := time.AfterFunc(drainTime, giveUp)
	defer timer.Stop()
	_, _ = io.Copy(io.Discard, io.LimitReader(body, drainBytes))
	_ = body.Close()
}
