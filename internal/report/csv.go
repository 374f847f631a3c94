package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
	"github.com/deadlinelab/deadlinelab/internal/view"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

func init() { Register("csv", writeCSV) }

var csvHeader = []string{"scenario", "variant", "label", "verdict", "planned", "n", "invalid", "disturbed", "budget_ms",
	"outcomes", "promise", "in_budget", "late", "duration_median_ms", "duration_ci95_low_ms", "duration_ci95_high_ms",
	"duration_p95_ms", "duration_min_ms", "duration_max_ms", "overshoot_median_ms", "overshoot_p95_ms", "overshoot_max_ms",
	"noise_floor_median_ms", "noise_floor_p95_ms", "noise_floor_max_ms", "waste_median_ms", "attempts", "server_requests",
	"stop_median_ms", "cancel_to_return_median_ms", "server_after_median_ms", "http_timer_ms", "to_headers_ms", "representative"}

// csvExternal are the columns that only a run with clients in processes of their
// own has.
var csvExternal = []string{"client", "startup_median_ms", "net_duration_median_ms", "net_duration_ci95_low_ms", "net_duration_ci95_high_ms",
	"net_duration_p95_ms", "net_duration_min_ms", "net_duration_max_ms", "net_of", "error_types", "not_applicable"}

func csvExternalRow(s verdict.Series) []string {
	row := append([]string{s.Client, medianCell(s.StartupMs)}, durationCells(s.NetDurationMs)...)
	return append(row, s.NetOf, safe(tallyText(s.ErrorTypes, map[string]int{})), safe(s.NotApplicable))
}

// writeCSV is one row per series for a spreadsheet. A figure that no operation
// has is an empty cell.
func writeCSV(b *bytes.Buffer, in view.Input) error {
	w := csv.NewWriter(b)
	header, row := csvHeader, csvRow
	if in.Summary.External() {
		header = append(slices.Clip(header), csvExternal...)
		row = func(s verdict.Series) []string { return append(csvRow(s), csvExternalRow(s)...) }
	}
	if wrong := in.Summary.Mismatches; len(wrong) > 0 {
		described := row
		header = append(slices.Clip(header), "not_what_the_run_wrote")
		row = func(s verdict.Series) []string { return append(described(s), safe(strings.Join(wrong, "; "))) }
	}
	if err := w.Write(header); err != nil {
		return err
	}
	for _, s := range in.Summary.Series {
		if err := w.Write(row(s)); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

func csvRow(s verdict.Series) []string {
	row := []string{safe(s.Scenario), safe(s.Variant), safe(s.Label), string(s.Verdict), strconv.Itoa(s.Planned), strconv.Itoa(s.N),
		strconv.Itoa(s.Invalid), strconv.Itoa(s.Disturbed), figure(s.BudgetMs), safe(tallyText(s.Outcomes, wording.OutcomeOrder)),
		safe(tallyText(s.Promise, wording.PromiseOrder)), strconv.Itoa(s.InBudget), strconv.Itoa(s.Late)}
	row = append(row, durationCells(s.DurationMs)...)
	row = append(row, quantileCells(s.OvershootMs)...)
	row = append(row, quantileCells(s.NoiseFloorMs)...)
	return append(row, medianCell(s.WasteMs), tallyText(s.Attempts, nil), tallyText(s.ServerRequests, nil), medianCell(s.StopMs),
		medianCell(s.CancelToReturnMs), medianCell(s.ServerAfterMs), optional(s.HTTPTimerMs), optional(s.ToHeadersMs), safe(s.Representative))
}

// tallyText is "2:88 3:2".
func tallyText(tally map[string]int, order map[string]int) string {
	var parts []string
	for _, k := range wording.Keys(tally, order) {
		parts = append(parts, fmt.Sprintf("%s:%d", textui.Plain(k), tally[k]))
	}
	return strings.Join(parts, " ")
}

func durationCells(d *timeline.Durations) []string {
	if d == nil {
		return make([]string, 6)
	}
	low, high := "", ""
	if d.CI95 != nil {
		low, high = figure(d.CI95[0]), figure(d.CI95[1])
	}
	return []string{figure(d.Median), low, high, figure(d.P95), figure(d.Min), figure(d.Max)}
}

func quantileCells(q *timeline.Quantiles) []string {
	if q == nil {
		return make([]string, 3)
	}
	return []string{figure(q.Median), optional(q.P95), figure(q.Max)}
}

func medianCell(q *timeline.Quantiles) string {
	if q == nil {
		return ""
	}
	return figure(q.Median)
}

func optional(v *float64) string {
	if v == nil {
		return ""
	}
	return figure(*v)
}

func figure(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// safe keeps a spreadsheet from reading text as a formula.
func safe(text string) string {
	text = textui.Plain(text)
	if text != "" && strings.ContainsRune("=+-@", rune(text[0])) {
		return "'" + text
	}
	return text
}
