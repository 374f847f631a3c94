package variants

import (
	"context"
	"regexp"
	"slices"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// External is a client that runs in a process of its own: not a placement of
// boundaries that this package knows, but whatever its authors made of it.
type External struct {
	Kind     string // eventlog.ExecClient or eventlog.AdapterClient
	Command  []string
	Manifest string                   // file that names it, as it was given; empty = named by its command
	Program  string                   // name of the library or program, as it says itself
	Version  string                   // its version, as it says itself; empty = unknown
	Language string                   // language and runtime; empty = unknown
	Settings map[string]string        // how it is set up
	Can      []string                 // capabilities, of the closed list of package adapter
	Clock    string                   // monotonic or none; empty for exec
	Outcomes map[int]eventlog.Outcome // exec: what its exit statuses mean
	AtOnce   int                      // most operations in flight; at least 1
	Caller   Caller                   // makes its calls
}

// ForeignName is what such a client may be called: the name is part of its
// operations' ids.
var ForeignName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

// Able tells whether the client has the capability.
func (f *External) Able(capability string) bool { return slices.Contains(f.Can, capability) }

// Caller makes the calls of an external client. It is safe for concurrent use.
type Caller interface {
	// Call makes one call and returns when control is back with the caller, or
	// soon after ctx has ended. ctx ends with ErrCancelled when the caller
	// cancels, with ErrCap at the hard cap, or with another cause when the run is
	// given up; the call is then ended by force unless it is the caller's cancel.
	Call(ctx context.Context, c *Call) Ending
	// Forget ends what the client with this id still holds.
	Forget(client string)
}

// Call is one call through an external client.
type Call struct {
	Op             string
	Client         string // calls with the same one share pool and slots
	URL            string
	Marker         string // must be in a successful body; empty where there is none to hold it
	Policy         Policy
	PoolLimit      int // connections; 0 = no limit
	PoolPerHost    int // connections to one host; 0 = no limit
	Slots          int // 0 = no limit
	Method         string
	BodyBytes      int64
	IdempotencyKey string
	CallerDeadline *time.Duration // the caller's own deadline from t0 on; nil = none

	// HoldSlots makes no request: every slot of the client is taken, Holding is
	// called, and they are given back at the instant that Until hands over.
	HoldSlots bool
	Holding   func()
	Until     <-chan time.Time

	Began func(t0 time.Time)     // called once, with the instant of the call
	Heard func(e eventlog.Event) // called for each event that the client reports, with AtNs; in order
}

// Ending is how a call ended.
type Ending struct {
	At        time.Time // when control was back with the caller; zero = now
	Outcome   eventlog.Outcome
	Last      eventlog.Outcome // last failure beside retries_exhausted
	Status    int              // 0 = unknown
	Bytes     int64
	Queued    time.Duration // how long its process was ready to run and waited for a processor; 0 = unknown
	ErrorType string
	Error     string
	// Broken says why the client did not do what a client must: it could not be
	// started, broke the protocol, was killed by a signal that the bench did not
	// send. Its operation proves nothing. Empty = it did.
	Broken string
}
