package scenario

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// Bounds of the numbers in a file.
const (
	MaxBudgetMs  = 120_000  // and the longest delay of the upstream
	MaxAttempts  = 100      // of one operation
	MaxSlots     = 10_000   // and connections of a pool
	MaxCallers   = 1000     // of one client
	MaxBodyBytes = 64 << 20 // of a request, in bytes
	mostLeaks    = 100_000

	mostGroupRequests = 10 * MaxAttempts * MaxCallers
	MaxCapMs          = 3*MaxBudgetMs + 5000 // the hard cap of the longest budget, and the longest that is expected
)

// noLimit is the next step where somebody wrote 0 for "none".
const noLimit = "write null for no limit"

// key is what is known of one key besides its type: one line for editors, and
// the range of its number. Min == Max means that it has none.
type key struct {
	About    string
	Min, Max float64
	Unit     string
	Next     string // what to do about a number outside of the range
}

// keys describes every key of the file format except the upstream's own, which
// their fault types declare. Lists are written [], the variants of expect *.
var keys = map[string]key{
	"name":      {About: "Name of the scenario, [a-z0-9_]+; equal to the file's name without .yaml for a scenario that ships with the bench."},
	"rung":      {About: "Stall point in a request's life that the scenario is about; core for those at the top of the folder."},
	"question":  {About: "The question that the scenario answers, one sentence."},
	"lesson":    {About: "What to take from the answer, one or two sentences."},
	"contrast":  {About: "The two variants that the demo and slides show side by side."},
	"operation": {About: "What the caller asked for, and the retry policy."},
	"attempt":   {About: "Limits inside one attempt; null = none."},
	"pool":      {About: "Bounds on the client's connections; absent or null = none."},
	"scenario":  {About: "What the upstream does, and what is arranged around the operation."},
	"variants":  {About: "The client variants that take part, by name."},
	"expect":    {About: "What each variant must show; every listed variant needs one."},
	"slots":     {About: "Concurrency slots (admission); 0 or absent = no admission.", Max: MaxSlots},

	"method":             {About: "Method of every request."},
	"body_bytes":         {About: "Length of the request body; every attempt sends it anew.", Max: MaxBodyBytes, Unit: "bytes"},
	"idempotency_key":    {About: "Every attempt carries the operation's id as its Idempotency-Key."},
	"caller_deadline_ms": {About: "The caller's own deadline, from t0, in the context that it hands to the client; null = none, 0 or less = expired on arrival.", Min: -MaxBudgetMs, Max: MaxBudgetMs, Unit: "ms", Next: "write null for none"},
	"callers":            {About: "Several callers of one client: the operations of one plan item; absent or null = one."},

	"cap_ms": {About: "Hard cap: when the bench ends an operation that nothing else ends, from t0; above the budget and the margin; absent or null = 3 x budget + 5000.", Min: 1, Max: MaxCapMs, Unit: "ms", Next: "write null for 3 x budget + 5000"},

	"callers.count":        {About: "Operations that one plan item starts.", Min: 1, Max: MaxCallers},
	"callers.share":        {About: "What the callers have in common; the rest is each caller's own."},
	"callers.start_gap_ms": {About: "Between the starts of two callers.", Max: MaxBudgetMs, Unit: "ms"},

	"operation.budget_ms":            {About: "Time the caller grants, from t0.", Min: 1, Max: MaxBudgetMs, Unit: "ms"},
	"operation.max_attempts":         {About: "Attempts a retrying variant may make, the first included.", Min: 1, Max: MaxAttempts},
	"operation.backoff_ms":           {About: "Pause after attempt 1, 2, …; a list that is too short repeats its last entry."},
	"operation.backoff_ms[]":         {Max: MaxBudgetMs, Unit: "ms"},
	"operation.jitter":               {About: "Added to every backoff, drawn uniformly from the run's seed; false = none."},
	"operation.jitter.min_ms":        {About: "Least addition.", Max: MaxBudgetMs, Unit: "ms"},
	"operation.jitter.max_ms":        {About: "Greatest addition.", Max: MaxBudgetMs, Unit: "ms"},
	"operation.retryable_statuses":   {About: "Statuses after which a further attempt is made."},
	"operation.retryable_statuses[]": {Min: 100, Max: 599},
	"operation.retryable_failures":   {About: "Failures without a status after which a further attempt is made."},

	"attempt.total_ms":        {About: "The whole attempt with its body.", Min: 0.001, Max: MaxBudgetMs, Unit: "ms", Next: noLimit},
	"attempt.connect_ms":      {About: "From the call to a usable connection, the pool's queue included.", Min: 0.001, Max: MaxBudgetMs, Unit: "ms", Next: noLimit},
	"attempt.sock_connect_ms": {About: "The dial.", Min: 0.001, Max: MaxBudgetMs, Unit: "ms", Next: noLimit},
	"attempt.sock_read_ms":    {About: "Silence: re-armed at each read, from request written on.", Min: 0.001, Max: MaxBudgetMs, Unit: "ms", Next: noLimit},

	"pool.limit":          {About: "Connections in all; 0 = no limit.", Max: MaxSlots},
	"pool.limit_per_host": {About: "Connections to one host; 0 = no limit.", Max: MaxSlots},

	"scenario.type": {About: "The kind of upstream."},

	"expect.*":                     {About: "What this variant must show; a key that is absent is not judged."},
	"expect.*.outcome":             {About: "How every valid operation ends."},
	"expect.*.duration_ms":         {About: "Median of the durations: the arithmetic of the waits, or a window.", Max: MaxCapMs, Unit: "ms"},
	"expect.*.first_quartile_ms":   {About: "First quartile of the durations, where they are spread by design.", Max: MaxCapMs, Unit: "ms"},
	"expect.*.third_quartile_ms":   {About: "Third quartile of the durations, where they are spread by design.", Max: MaxCapMs, Unit: "ms"},
	"expect.*.attempts":            {About: "Attempts of every valid operation: exact, or a window where a race is inherent.", Max: MaxAttempts},
	"expect.*.server_requests":     {About: "Requests that really arrived, of every valid operation.", Max: 10 * MaxAttempts},
	"expect.*.late":                {About: "Every valid operation was (not) late."},
	"expect.*.in_budget":           {About: "Every valid operation was (not) a success in budget."},
	"expect.*.overshoot_ms":        {About: "Median of end − deadline, signed.", Min: -MaxBudgetMs, Max: MaxCapMs, Unit: "ms"},
	"expect.*.cancel_to_return_ms": {About: "Median from the caller's cancel to control returned.", Max: MaxCapMs, Unit: "ms"},
	"expect.*.headers_received":    {About: "Every valid operation did (not) receive response headers."},
	"expect.*.body_complete":       {About: "Every valid operation did (not) receive a whole body."},
	"expect.*.waste_ms":            {About: "Median of the time slept up to the deadline although no further attempt could fit.", Max: MaxBudgetMs, Unit: "ms"},

	"expect.*.commits":             {About: "Side effects on the server of every valid operation.", Max: 10 * MaxAttempts},
	"expect.*.group_requests":      {About: "Requests that arrived of all callers of one client together, of every group.", Max: mostGroupRequests},
	"expect.*.peak_arrivals":       {About: "Most requests of one group of callers within 10 ms.", Max: mostGroupRequests},
	"expect.*.peak_retry_arrivals": {About: "Most requests of one group of callers within 10 ms, first attempts left out.", Max: mostGroupRequests},

	"expect.*.leaks":                    {About: "What the clients of the series may still hold 200 ms after its last operation, the most of any one client; absent = nothing."},
	"expect.*.leaks.goroutines":         {About: "Goroutines that a call of the client started; absent = 0 where nothing else may leak, else not judged.", Max: mostLeaks},
	"expect.*.leaks.connections":        {About: "Open connections, the idle ones closed.", Max: mostLeaks},
	"expect.*.leaks.dials":              {About: "Dials under way.", Max: mostLeaks},
	"expect.*.leaks.slots":              {About: "Slots not given back.", Max: mostLeaks},
	"expect.*.leaks.handlers":           {About: "Handlers of the server still busy; absent = not judged.", Max: mostLeaks},
	"expect.*.leaks.server_connections": {About: "Connections that the server still holds; absent = not judged.", Max: mostLeaks},
	"expect.*.leaks.probe":              {About: "How the operation ends that tries the last client afterwards; absent = success."},
	"expect.*.leaks.probe_ms":           {About: "Its duration; absent = not judged.", Max: MaxCapMs, Unit: "ms"},

	"schema":         {About: "Name of the plan's format."},
	"schema_version": {About: "Version of the plan's format."},
	"repeats":        {About: "How often the whole plan is run.", Min: 1, Max: 1000},
	"operations":     {About: "Operations of each cell in one repeat.", Min: 1, Max: 100_000},
	"groups":         {About: "The same where several callers have one client; 0 = as many as operations.", Max: 100_000},
}

// reserved keys have an agreed meaning, but nothing acts on them yet.
var reserved = map[string]bool{"protocol": true}

var (
	listIndex  = regexp.MustCompile(`\[\d+\]`)
	windowEnds = regexp.MustCompile(`^(expect\.\*\.\w+(?:\.\w+)?)\.(min|max)(_ms)?$`)
)

// keyAt finds the description of a path. Both ends of a window have the range
// of their key; delays of the upstream have one in common.
func keyAt(path string) key {
	p := listIndex.ReplaceAllString(path, "[]")
	if rest, ok := strings.CutPrefix(p, "expect."); ok {
		_, field, _ := strings.Cut(rest, ".")
		p = windowEnds.ReplaceAllString(strings.TrimSuffix("expect.*."+field, "."), "$1")
	}
	if k, ok := keys[p]; ok {
		return k
	}
	if strings.HasPrefix(p, "scenario.") && strings.HasSuffix(p, ".date_offset_ms") {
		return key{Min: -fault.MaxDateOffsetMs, Max: fault.MaxDateOffsetMs, Unit: "ms"} // a date may be past
	}
	if strings.HasPrefix(p, "scenario.") && strings.HasSuffix(p, "_ms") {
		return key{Max: MaxBudgetMs, Unit: "ms"}
	}
	return key{}
}

// topLevel tells whether a key stands at the top of a file.
func topLevel(name string) bool {
	doc := document{}
	return slices.ContainsFunc(fieldsOf(reflect.ValueOf(&doc).Elem()), func(f field) bool { return f.key == name })
}

func (k key) bounded() bool { return k.Min != k.Max }

func (k key) holds(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!k.bounded() || v >= k.Min && v <= k.Max)
}

// rangeText is "1 … 120000 ms".
func (k key) rangeText() string {
	return strings.TrimSpace(number(k.Min) + " … " + number(k.Max) + " " + k.Unit)
}

// number writes v without an exponent or trailing zeros.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
