package timeline

import "github.com/deadlinelab/deadlinelab/internal/eventlog"

// Schema names of summary.json and operations.jsonl.
const (
	SummarySchema           = "deadlinelab/summary"
	SummarySchemaVersion    = "1.0.0"
	OperationsSchema        = "deadlinelab/operations"
	OperationsSchemaVersion = "1.0.0"
)

// Series is all valid measured operations of one variant in one scenario.
// Milliseconds with two decimals. N = Planned − Invalid − Disturbed − missing.
type Series struct {
	Scenario  string  `json:"scenario"`
	Variant   string  `json:"variant"`
	Label     string  `json:"label"`
	Client    string  `json:"client,omitempty"` // exec or adapter; empty for a variant of the bench
	Planned   int     `json:"planned"`
	N         int     `json:"n"`
	Invalid   int     `json:"invalid"`
	Disturbed int     `json:"disturbed"`
	BudgetMs  float64 `json:"budget_ms"`
	MarginMs  float64 `json:"margin_ms"`

	NotApplicable string `json:"not_applicable,omitempty"` // why the client cannot be measured in the scenario

	NetOf            string             `json:"net_of,omitempty"`          // exec: what overshoot, promise and net durations are net of, in words
	StartupMs        *Quantiles         `json:"startup_ms,omitempty"`      // exec: what it takes to start its process, over the run's start-ups
	StartupFailed    string             `json:"startup_failed,omitempty"`  // exec without startup_ms: how the first of its start-ups ended that was no success
	NetDurationMs    *Durations         `json:"net_duration_ms,omitempty"` // exec: durations less the start-up
	StartupCut       int                `json:"startup_cut,omitempty"`     // exec: operations that left no time for the median start-up
	Undecided        int                `json:"undecided,omitempty"`       // exec: operations that ended so little too late that the length of their start-up decides
	DurationMs       *Durations         `json:"duration_ms"`
	ByOutcome        map[string]float64 `json:"duration_by_outcome_ms,omitempty"` // medians, only when outcomes differ
	OvershootMs      *Quantiles         `json:"overshoot_ms"`
	NoiseFloorMs     *Quantiles         `json:"noise_floor_ms"`
	FaultLateMs      *Quantiles         `json:"fault_late_ms"`
	Outcomes         map[string]int     `json:"outcomes"`
	Promise          map[string]int     `json:"promise"`
	InBudget         int                `json:"in_budget"`
	Late             int                `json:"late"`
	WasteMs          *Quantiles         `json:"waste_ms"`
	Attempts         map[string]int     `json:"attempts"` // nil: not reported
	ServerRequests   map[string]int     `json:"server_requests"`
	StopMs           *Quantiles         `json:"stop_ms"`                 // deadline fired to control returned
	CancelToReturnMs *Quantiles         `json:"cancel_to_return_ms"`     // external cancel to control returned
	ServerAfterMs    *Quantiles         `json:"server_after_ms"`         // handler work after the client had gone
	HeadersReceived  *int               `json:"headers_received"`        // nil: not reported
	BodyComplete     *int               `json:"body_complete"`           // nil: not reported
	AfterDeadline    *int               `json:"attempts_after_deadline"` // nil: not reported
	HTTPTimerMs      *float64           `json:"http_timer_ms"`           // median
	ToHeadersMs      *float64           `json:"to_headers_ms"`           // median
	Where            *Where             `json:"where_ms"`                // of the representative operation
	Representative   string             `json:"representative"`
	Warnings         []string           `json:"warnings,omitempty"`

	Amplification      *float64       `json:"amplification,omitempty"`        // server requests per operation; only of callers of one client
	CallersMs          *CallersMs     `json:"callers_ms,omitempty"`           // how long callers of one client waited; only where they are several
	GroupRequests      map[string]int `json:"group_requests,omitempty"`       // groups by the requests of all their callers; whole groups only
	PeakArrivals       *int           `json:"peak_arrivals,omitempty"`        // most requests of one group within 10 ms
	PeakRetryArrivals  *int           `json:"peak_retry_arrivals,omitempty"`  // the same without first attempts
	Commits            *Commits       `json:"commits,omitempty"`              // nil unless an operation of its scenario has committed
	CommitsOfOperation map[string]int `json:"commits_of_operation,omitempty"` // operations by their commits
	Leaks              *Leaks         `json:"leaks,omitempty"`                // nil if they were not counted

	ErrorTypes        map[string]int `json:"error_types,omitempty"`        // of a client in another process: operations without success by what its caller would catch
	Unreported        []string       `json:"unreported,omitempty"`         // keys that are null because the client does not tell
	UnreportedBecause string         `json:"unreported_because,omitempty"` // why
	Broken            int            `json:"broken,omitempty"`             // operations in which the client broke; they are among the invalid
	BrokenBecause     string         `json:"broken_because,omitempty"`     // how it broke first
}

// CallersMs are the durations of the callers of one client that waited least
// and longest, as medians over the groups: where they differ the median of the
// series belongs to none of them.
type CallersMs struct {
	Least float64 `json:"least"`
	Most  float64 `json:"most"`
}

// Commits sets the side effects on the server against what callers were told.
type Commits struct {
	OnServer                    int `json:"on_server"`
	ReportedSuccess             int `json:"told_success"`               // operations that were told of a success
	ReportedFailureButCommitted int `json:"told_failure_but_committed"` // operations that were told of a failure, with an effect
	Duplicates                  int `json:"duplicates"`                 // effects beyond the first of an operation
}

// Leaks is what the clients of a series still held 200 ms after its last
// operation, the idle connections closed: the most of any one client. The
// probe tries the last client afterwards.
type Leaks struct {
	Goroutines        int              `json:"goroutines"`
	Connections       int              `json:"connections"`
	Dials             int              `json:"dials"`
	Slots             int              `json:"slots"`
	Handlers          int              `json:"handlers"`
	ServerConnections int              `json:"server_connections"`
	Probe             eventlog.Outcome `json:"probe"`    // empty if the probe has no end in the log
	ProbeMs           *float64         `json:"probe_ms"` // its duration
}

// Durations summarises durations, in ms. CI95 is the exact 95 % interval of the
// median (MedianRanks), nil for n < 6.
type Durations struct {
	Median        float64     `json:"median"`
	CI95          *[2]float64 `json:"ci95"`
	P95           float64     `json:"p95"`
	Min           float64     `json:"min"`
	Max           float64     `json:"max"`
	RepeatMedians []float64   `json:"repeat_medians"`
}

// Quantiles of a figure that not every operation has, in ms.
type Quantiles struct {
	Median float64  `json:"median"`
	P95    *float64 `json:"p95,omitempty"`
	Max    float64  `json:"max"`
}
