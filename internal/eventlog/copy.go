package eventlog

import (
	"context"
	"io"
	"time"
)

// FlushEvery is the longest time that an event waits in memory for Copy.
const FlushEvery = 50 * time.Millisecond

// copyBatch bounds what one Write carries: whole lines, some 100 KB.
const copyBatch = 512

// Copy writes r's events to w as JSON lines: at least every FlushEvery and
// right after each operation_finished. It discards from r what is written and
// returns nil after Close once everything is. When ctx ends it writes what is
// there and returns ctx's error. A write error is returned at once; recording
// goes on without it. A recorder has one Copy.
func Copy(ctx context.Context, r *Recorder, w io.Writer) error {
	c := copier{from: r, to: w}
	tick := time.NewTicker(FlushEvery)
	defer tick.Stop()
	for {
		if err := c.flush(); err != nil {
			return err
		}
		if r.ended(c.written) {
			return nil
		}
		select {
		case <-tick.C:
		case <-r.urgent:
		case <-ctx.Done():
			return c.last(ctx)
		}
	}
}

// copier remembers what is written.
type copier struct {
	from    *Recorder
	to      io.Writer
	written uint64
	events  []Event
	buffer  []byte
}

func (c *copier) last(ctx context.Context) error {
	if err := c.flush(); err != nil {
		return err
	}
	return ctx.Err()
}

// flush writes and discards everything recorded so far, in whole lines.
func (c *copier) flush() error {
	for {
		c.events = c.from.ReadInto(c.events, c.written, copyBatch)
		if len(c.events) == 0 {
			return nil
		}
		c.buffer = c.buffer[:0]
		for i := range c.events {
			c.buffer = append(AppendJSON(c.buffer, &c.events[i]), '\n')
		}
		if _, err := c.to.Write(c.buffer); err != nil {
			return err
		}
		c.written = c.events[len(c.events)-1].Seq
		c.from.Discard(c.written)
	}
}
