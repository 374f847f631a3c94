package compare

import "fmt"

// Schema of a comparison as JSON.
const (
	Schema        = "deadlinelab/compare"
	SchemaVersion = "1.0.0"
)

// Comparison is what new says against old. Milliseconds with two decimals.
type Comparison struct {
	Schema        string   `json:"schema"`
	SchemaVersion string   `json:"schema_version"`
	Old           Side     `json:"old"`
	New           Side     `json:"new"`
	Doubt         string   `json:"doubt"` // what makes every series inconclusive; "" = nothing
	MarginMs      float64  `json:"margin_ms"`
	MarginPercent float64  `json:"margin_percent"`
	Verdict       Verdict  `json:"verdict"`
	Counts        Tally    `json:"counts"`
	Series        []Series `json:"series"`
	OnlyOld       []Name   `json:"only_old"` // series that new does not have
	OnlyNew       []Name   `json:"only_new"`

	MissingAllowed bool `json:"missing_allowed,omitempty"` // what only old has leaves nothing open

	Notes []string `json:"notes"`
}

// Side is one of the two runs.
type Side struct {
	Name       string   `json:"name"`
	Complete   bool     `json:"complete"`
	Why        string   `json:"why,omitempty"` // why it is not complete
	NoiseFloor *float64 `json:"noise_floor_p95_ms"`
	Mismatches []string `json:"mismatches,omitempty"` // what in its directory is not what the run wrote
}

// Name names a series.
type Name struct {
	Scenario string `json:"scenario"`
	Variant  string `json:"variant"`
	Label    string `json:"label"`
	Reason   string `json:"reason,omitempty"` // why the other run cannot have it
}

// Series compares one series of each run. Below an ending that changed nothing
// is compared: Attempts and ServerRequests are null, Times is empty. Attempts is
// also null where a side does not report them.
type Series struct {
	Scenario       string  `json:"scenario"`
	Old            Cell    `json:"old"`
	New            Cell    `json:"new"`
	Ending         Ending  `json:"ending"`
	Times          []Time  `json:"times"`
	Attempts       *Count  `json:"attempts"`
	ServerRequests *Count  `json:"server_requests"`
	Verdict        Verdict `json:"verdict"`
	Doubt          string  `json:"doubt"` // what makes every judgement on it inconclusive; "" = nothing
}

// Cell is one run's side of a series.
type Cell struct {
	Variant   string `json:"variant"`
	Label     string `json:"label"`
	Planned   int    `json:"planned"`
	N         int    `json:"n"`
	Invalid   int    `json:"invalid"`
	Disturbed int    `json:"disturbed"`
}

// Tally says how many series came to which verdict.
type Tally struct {
	Series       int `json:"series"`
	Worse        int `json:"worse"`
	Better       int `json:"better"`
	Changed      int `json:"changed"`
	Same         int `json:"same"`
	Inconclusive int `json:"inconclusive"`
}

func (t *Tally) add(v Verdict) {
	t.Series++
	switch v {
	case Worse:
		t.Worse++
	case Better:
		t.Better++
	case Changed:
		t.Changed++
	case Same:
		t.Same++
	default:
		t.Inconclusive++
	}
}

func (t Tally) String() string {
	text := fmt.Sprintf("%d series: ", t.Series)
	separator := ""
	for _, p := range []struct {
		n    int
		word string
	}{{t.Worse, "worse"}, {t.Inconclusive, "inconclusive"}, {t.Better, "better"}, {t.Changed, "changed"}, {t.Same, "same"}} {
		if p.n > 0 {
			text += fmt.Sprintf("%s%d %s", separator, p.n, p.word)
			separator = ", "
		}
	}
	return text
}
