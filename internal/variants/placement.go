package variants

// Placement is where a variant puts its boundaries: data for `bench plan`'s
// arithmetic, beside the code that must agree with it. What a variant does
// wrong is a field as well: the zero value of each is to do it right, or not at all.
type Placement struct {
	Deadline     string // none, t0, after_admission, remaining, between_attempts
	SlotPer      string // operation, attempt
	MaxAttempts  int    // 0 = the policy's
	AttemptLimit bool   // the policy's limits act

	Total          string // what limits a whole attempt instead of total_ms: budget, share
	HeaderLimit    bool   // the wait for a response head is limited by sock_read_ms, else by total_ms
	DialLimit      bool   // the dial is limited by sock_connect_ms
	AsksFirst      bool   // sends a body only when the server lets it go on, or after as long as the wait for a response head may take
	Queue          string // unbound = the wait for a slot does not listen to the deadline; none = refuses when no slot is free
	UnboundAttempt bool   // attempts do not listen to the deadline
	UnboundPause   bool   // pauses listen to nothing
	UnboundLoop    bool   // goes on with further attempts when the deadline has passed or the caller has left

	RetryAny       bool // whatever failed is tried again
	PauseAfterLast bool // pauses after the last attempt too
	RetryPercent   int  // retries that all callers together may make for a hundred calls; 0 = not counted
	FitPauses      bool // pauses, or does what Retry-After says, only if an attempt fits after it; repeats only what is safe to repeat
	Unkeyed        bool // sends no Idempotency-Key
	EarlyCancel    bool // cancels the attempt once it has the response head
	Unverified     bool // takes any 2xx for a success

	Calls      int    // how often it makes the whole call; 0 = once
	CallsAfter string // failure = until one succeeds, success = while each succeeds
	OwnBudgets bool   // each of these calls has a deadline of its own
}
