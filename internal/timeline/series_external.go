package timeline

import (
	"cmp"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// startupWarning is why a series of a client that is a process per operation
// has no operation that counts.
const startupWarning = "No start-up of the client was measured, so that its operations cannot be judged net of one."

// countExternal computes what only clients in other processes have.
func (s *Series) countExternal(r *Run, all, ops []*Operation) {
	if len(all) > 0 {
		s.Client = cmp.Or(s.Client, all[0].Client)
		s.countUnreported(all)
	}
	if s.Client == "" {
		return
	}
	s.countErrorTypes(ops)
	for _, op := range all {
		if op.ClientBroke != "" {
			s.Broken++
			s.BrokenBecause = cmp.Or(s.BrokenBecause, op.ClientBroke)
		}
	}
	if s.Client == eventlog.ExecClient && s.NotApplicable == "" {
		s.StartupMs, s.MarginMs = quantiles(r.startups[s.Variant].ascending), centi(r.marginOf(s.Variant))
		if s.StartupMs != nil {
			s.NetOf = netOfUpTo(s.StartupMs.Median)
		} else {
			s.StartupFailed = r.unstarted[s.Variant]
		}
		s.countStartups(ops)
	}
}

// lenientShare of the budget is what a call may end too late, however long other
// deadlines took on the machine, before its start-up has to decide.
const lenientShare = 0.05

// Lenient is how late a call of this budget may end, in ms, before its start-up
// has to decide.
func Lenient(budgetMs float64) float64 { return max(LeastMarginMs, lenientShare*budgetMs) }

// countStartups counts the operations whose start-up is in doubt. It is not
// where start-ups vary by that much and the server saw that this one did: its
// request arrived, or its process ended, later than usual by what it is late.
func (s *Series) countStartups(ops []*Operation) {
	for _, op := range ops {
		s.StartupCut += one(op.StartupCut)
		s.Undecided += one(op.Undecided)
	}
}

// countUnreported: what one operation lacks is no figure of the series.
func (s *Series) countUnreported(all []*Operation) {
	for _, op := range all {
		if len(op.Unreported) > len(s.Unreported) {
			s.Unreported, s.UnreportedBecause = op.Unreported, op.UnreportedBecause
		}
	}
}

func (s *Series) countErrorTypes(ops []*Operation) {
	for _, op := range ops {
		if !op.caughtByItsCaller() {
			continue
		}
		if s.ErrorTypes == nil {
			s.ErrorTypes = map[string]int{}
		}
		s.ErrorTypes[op.ErrorType]++
	}
}

// noError is how the end of a process reads that told its caller of a success.
const noError = "exit status 0"

// caughtByItsCaller reports whether the operation's error type is that of an
// error that its caller would catch as well. No caller would at the hard cap,
// where the bench cancels the call itself.
func (op *Operation) caughtByItsCaller() bool {
	switch op.Outcome {
	case eventlog.Success, eventlog.CapReached:
		return false
	}
	return op.ErrorType != "" && op.ErrorType != noError
}

// tells is false for a key that the client does not report, or cannot.
func (s *Series) tells(key string) bool {
	return s.NotApplicable == "" && !slices.Contains(s.Unreported, key)
}

// sum adds a figure of all operations up, nil if the client does not tell it.
func (s *Series) sum(key string, ops []*Operation, of func(*Operation) int) *int {
	if !s.tells(key) {
		return nil
	}
	sum := 0
	for _, op := range ops {
		sum += of(op)
	}
	return &sum
}

func is(flag *bool) bool { return flag != nil && *flag }

func valueOf(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// unproven is how many operations are invalid for another reason than their
// client.
func (s *Series) unproven() int {
	if s.Client == eventlog.ExecClient && s.StartupMs == nil {
		return 0
	}
	return s.Invalid - s.Broken
}

// serverAfter is how long the last handler went on after the caller was gone;
// nil if nothing is known to have stopped the operation.
func (op *Operation) serverAfter() *float64 {
	if op.Stop != nil || op.Client == "" {
		return op.Stop.serverAfter()
	}
	last, left := 0.0, false
	for _, x := range op.requests() {
		if x.HandlerEndMs == nil {
			return nil
		}
		last, left = max(last, *x.HandlerEndMs), left || x.ClientGoneMs != nil
	}
	after := milli(last - op.DurationMs)
	if !left || op.ServerBound > 0 && max(after, -after) < op.ServerBound {
		return nil
	}
	return new(max(0, after))
}

// requests are the operation's exchanges, to whatever they belong.
func (op *Operation) requests() []Exchange {
	list := slices.Concat(op.Exchanges, op.Stray)
	for i := range op.Attempts {
		list = append(list, op.Attempts[i].Exchanges...)
	}
	return list
}
