package timeline

// interval is a span in nanoseconds; open until it has been closed.
type interval struct {
	from, to int64
	closed   bool
}

func (i *interval) close(t int64) {
	if !i.closed {
		i.to, i.closed = max(t, i.from), true
	}
}

// cut ends an interval that was still open when what it belongs to ended.
func (i *interval) cut(t int64) {
	if !i.closed {
		i.to = max(t, i.from)
	}
}

func (i *interval) span(t0 int64) Span {
	return Span{FromMs: millis(i.from - t0), ToMs: millis(i.to - t0), Open: !i.closed}
}

func opened(t int64) interval { return interval{from: t, to: t} }

func (i *interval) maybe(t0 int64) *Span {
	if i == nil {
		return nil
	}
	return new(i.span(t0))
}

func begin(i **interval, t int64) {
	if *i == nil {
		at := opened(t)
		*i = &at
	}
}

// extend ends an interval that may hold several of a kind, such as dials to two
// addresses at once: the last end counts.
func extend(i *interval, t int64) {
	if i != nil {
		i.to, i.closed = max(i.to, t), true
	}
}

func closeLast(list []interval, t int64) {
	if n := len(list); n > 0 {
		list[n-1].close(t)
	}
}

func cutAll(list []interval, t int64) {
	for i := range list {
		list[i].cut(t)
	}
}
