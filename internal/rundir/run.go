// Package rundir is the run directory on disk: run.json, plan.yaml, the two
// logs, operations.jsonl, summary.json and the reports. It has its final name
// from the start; logs are appended in place, everything else is written to a
// temporary name, synced and renamed.
package rundir

// Schema of run.json.
const (
	RunSchema        = "deadlinelab/run"
	RunSchemaVersion = "1.1.0"
	runMajor         = 1
)

// File names inside a run directory. Logs may carry the suffix .gz or .bz2.
const (
	RunFile        = "run.json"
	PlanFile       = "plan.yaml"
	ClientLog      = "client.jsonl"
	ServerLog      = "server.jsonl"
	OperationsFile = "operations.jsonl"
	SummaryFile    = "summary.json"
)

// Status of a run.
type Status string

// The statuses.
const (
	Running  Status = "running"
	Complete Status = "complete"
	Aborted  Status = "aborted"
)

// Run is run.json: the only file with volatile facts.
type Run struct {
	Schema        string           `json:"schema"`
	SchemaVersion string           `json:"schema_version"`
	Status        Status           `json:"status"`
	Label         string           `json:"label"`
	Why           string           `json:"why,omitempty"` // why it was aborted
	Started       string           `json:"started"`       // RFC 3339, UTC
	Finished      string           `json:"finished,omitempty"`
	WallSeconds   float64          `json:"wall_seconds,omitempty"`
	Arguments     []string         `json:"arguments"`
	Seed          int64            `json:"seed"`
	Repeats       int              `json:"repeats"`
	Operations    int              `json:"operations"` // per repeat
	Parallel      int              `json:"parallel"`
	ParallelWhy   string           `json:"parallel_why,omitempty"` // why that many, unless it was asked for
	PlanDigest    string           `json:"plan_digest"`            // sha256 of plan.yaml
	Require       string           `json:"require,omitempty"`      // kept or bounded: judged of every series
	CapMs         float64          `json:"cap_ms,omitempty"`       // hard cap that was asked for; 0 = each scenario's own
	Environment   Environment      `json:"environment"`
	Noise         map[string]Noise `json:"noise"` // by side: client, server
	Clock         Clock            `json:"clock"`
	Tallies       []Tally          `json:"tallies"`
	Evidence      []Evidence       `json:"evidence,omitempty"` // of EvidenceFiles, once the run is closed
	Busy          []string         `json:"busy,omitempty"`     // handlers still running at the end
}

// Environment is where the run happened.
type Environment struct {
	Go         string `json:"go"`
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	CPUs       int    `json:"cpus"`
	MaxProcs   int    `json:"gomaxprocs"`
	Kernel     string `json:"kernel,omitempty"`
	Version    string `json:"version"` // of bench
	OpenFiles  uint64 `json:"open_files,omitempty"`
	LoadBefore string `json:"load_before,omitempty"`
}

// Noise sums up one process's noise floor over the whole run.
type Noise struct {
	N      int     `json:"n"`
	Median float64 `json:"median_ms"`
	P95    float64 `json:"p95_ms"`
	P99    float64 `json:"p99_ms"`
	Max    float64 `json:"max_ms"`
}

// Clock says how the two logs were aligned: client = server + offset ± bound.
type Clock struct {
	Name     string         `json:"name"`
	Shared   bool           `json:"shared"` // one clock, as measured: offset 0, bound 0
	OffsetNs int64          `json:"offset_ns"`
	BoundNs  int64          `json:"bound_ns"`
	Readings []ClockReading `json:"readings,omitempty"` // before the first operation, and after the last unless the clock is shared
}

// ClockReading is one comparison of the two clocks.
type ClockReading struct {
	AtNs     int64 `json:"at_ns"` // on the client's clock
	OffsetNs int64 `json:"offset_ns"`
	BoundNs  int64 `json:"bound_ns"`
}

// Tally is what each log must hold to be whole.
type Tally struct {
	Experiment string `json:"experiment"`
	Side       string `json:"side"`
	LastSeq    uint64 `json:"last_seq"`
	Lost       int64  `json:"lost"`
	Requests   int    `json:"requests,omitempty"` // exchanges the server counted
}
