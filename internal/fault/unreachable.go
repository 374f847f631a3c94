package fault

import "net/http"

func init() {
	Register("refused", func() Fault { return &RefusedFault{} })
	Register("black_hole", func() Fault { return &BlackHoleFault{} })
	Register("accept_silence", func() Fault { return &AcceptSilenceFault{} })
	Register("reset_on_accept", func() Fault { return &ResetOnAcceptFault{} })
}

// connecting is what the faults before a request have in common: whoever gets
// through is answered at once.
type connecting struct {
	Common `yaml:",inline"`
}

// Serve answers 200 at once.
func (f *connecting) Serve(ex Exchange) error { return respondAfter(ex, 0, http.StatusOK) }

// Check has nothing to check.
func (f *connecting) Check() []Problem { return nil }

// RefusedFault is a port at which nobody listens.
type RefusedFault struct {
	connecting `yaml:",inline"`
}

// Connect is refused.
func (f *RefusedFault) Connect() ConnectionScript { return ConnectionScript{Kind: Refused} }

// ResetOnAcceptFault accepts connections and resets them at once, the first
// times of an operation or with 0 all.
type ResetOnAcceptFault struct {
	connecting `yaml:",inline"`
	Times      int `yaml:"times"`
}

// Check returns what is wrong with the fields.
func (f *ResetOnAcceptFault) Check() []Problem {
	return problems(checkBetween("times", f.Times, 0, MaxSteps))
}

// Connect is a reset.
func (f *ResetOnAcceptFault) Connect() ConnectionScript {
	return ConnectionScript{Kind: ResetOnAccept, Times: f.Times}
}

// BlackHoleFault is a listener with a full queue: handshakes are dropped, until
// for_ms after t0 or with 0 for good. Once it serves again, a client gets
// through when its system tries the next time: after 1, 3, 7 … s.
type BlackHoleFault struct {
	connecting `yaml:",inline"`
	ForMs      float64 `yaml:"for_ms"`
}

// Check returns what is wrong with the fields.
func (f *BlackHoleFault) Check() []Problem { return problems(checkDelay("for_ms", f.ForMs)) }

// Connect is a handshake that nobody answers.
func (f *BlackHoleFault) Connect() ConnectionScript {
	return ConnectionScript{Kind: BlackHole, For: ms(f.ForMs)}
}

// Arrangement asks for the listener to be released.
func (f *BlackHoleFault) Arrangement() Arrangement { return Arrangement{HoldListener: ms(f.ForMs)} }

// AcceptSilenceFault accepts connections, reads what the client sends, and says
// nothing, to the first times of an operation or with 0 to all. for_ms after
// that it closes them, or with 0 never.
type AcceptSilenceFault struct {
	connecting `yaml:",inline"`
	ForMs      float64 `yaml:"for_ms"`
	Times      int     `yaml:"times"`
}

// Check returns what is wrong with the fields.
func (f *AcceptSilenceFault) Check() []Problem {
	return problems(checkDelay("for_ms", f.ForMs), checkBetween("times", f.Times, 0, MaxSteps))
}

// Connect is a connection without a server.
func (f *AcceptSilenceFault) Connect() ConnectionScript {
	return ConnectionScript{Kind: AcceptSilence, For: ms(f.ForMs), Times: f.Times}
}
