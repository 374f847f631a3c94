package describe

import "github.com/deadlinelab/deadlinelab/internal/compare"

func init() {
	describes[compare.Time](keys{
		"outcome":       about("the operations that ended so"),
		"figure":        oneOf([]string{"duration_ms", "overshoot_ms"}, "what is compared: the duration, or how far past the deadline it ended where a median lies past it"),
		"old":           about("the old run's operations"),
		"new":           about("the new run's operations"),
		"difference_ms": about("the new median minus the old one, milliseconds"),
		"interval_ms":   about("holds the true difference, milliseconds; null with fewer than 6 operations on a side"),
		"level":         between(0, 1, "how surely; null without an interval"),
		"margin":        about("the difference below which nothing is said"),
		"verdict": oneOf([]compare.Verdict{compare.Worse, compare.Better, compare.Sooner, compare.Changed, compare.Same, compare.Inconclusive},
			"sooner: the same failure came earlier; changed: attempts did, and the time of a failure with them"),
		"reason": about("why; empty when there is nothing to explain"),
	})
	describes[compare.Sample](keys{
		"n":         atLeast(0, "operations"),
		"median_ms": about("the middle value, or the mean of the two in the middle, milliseconds"),
		"ci95_ms":   about("exact 95 % interval of the median from order statistics, milliseconds; null below 6 operations"),
	})
	describes[compare.Margin](keys{
		"ms":   atLeast(0, "how large it is, milliseconds"),
		"from": oneOf([]string{"absolute", "relative", "noise", "startup"}, "what made it that large: margin_ms, margin_percent, the noise floor of a run, or how much the start-ups vary that times are net of"),
	})
}
