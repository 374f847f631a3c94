package timeline

// mostStartup is what the start and the end of a process can have cost at most,
// in ms: the time before its first request arrived and that after the server
// last saw it. A client that is slow under healthy alone is not given what it
// did not spend. It is not known where the server does not tell how an exchange
// ended for the client, or has seen none.
func (d *draft) mostStartup(bound int64) (ms float64, known bool) {
	if len(d.exchanges) == 0 {
		return 0, false
	}
	arrived, seen := farthest, -farthest
	for i := range d.exchanges {
		x := &d.exchanges[i]
		last, ok := x.lastSeen()
		if !x.started || !ok {
			return 0, false
		}
		arrived, seen = min(arrived, x.start), max(seen, last)
	}
	return millis(max(0, arrived-d.t0) + max(0, d.end-seen) + 2*bound), true
}

// lastSeen is when the server last knew the client to be there.
func (x *exchange) lastSeen() (at int64, known bool) {
	switch {
	case x.sawGone:
		return x.gone, true
	case x.bodied != farthest:
		return x.bodied, true
	}
	return 0, false
}
