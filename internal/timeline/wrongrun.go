package timeline

import "fmt"

// An exchange that begins this much before its operation, or after its end, is
// not its own: no clock is so wrong and no request under way for so long.
const (
	tooEarly = 1e6 // ns
	tooLate  = 5e9 // ns
)

// wrongRun finds the server's log of another run: there the same ids appear at
// other times.
func (r *Run) wrongRun(d *builder) (found []Problem) {
	for i := range d.exchanges {
		x := &d.exchanges[i]
		early := x.started && x.start+r.in.BoundNs+d.tooEarly() < d.t0
		late := x.started && d.op.Finished && x.start-r.in.BoundNs-tooLate > d.end
		if early || late {
			found = append(found, r.astray(d, x, late))
		}
	}
	return found
}

// astray says what an exchange at another time comes of. A labserver that was
// stopped takes requests late too, but its own sampler was late then as well.
func (r *Run) astray(d *builder, x *exchange, late bool) Problem {
	began := fmt.Sprintf("exchange %d began at %.3f ms of %.3f", x.N, x.StartMs, d.op.DurationMs)
	if stopped := r.stopped(d.end, x.start); late && stopped*1e6 >= tooLate {
		return Problem{d.id, NeverStopped, fmt.Sprintf("%s, after labserver had done nothing for %.0f ms", began, stopped),
			"every request to be taken while its operation runs: was labserver stopped (SIGSTOP, a debugger), or its machine asleep?"}
	}
	return Problem{d.id, OfOneRun, began, "while the operation ran: is one of the logs another run's?"}
}

// tooEarly: of a client that has no clock the bench knows t0 only by when its line
// came.
func (d *builder) tooEarly() int64 {
	if d.heard {
		return heardWithin
	}
	return tooEarly
}
