package describe

import "github.com/deadlinelab/deadlinelab/internal/compare"

// comparison describes what `bench compare --format json` writes.
func comparison() (object, error) {
	return document[compare.Comparison]("deadlinelab comparison",
		"`bench compare OLD NEW --format json`: what the new run says against the old one, series by series. Milliseconds with two decimals.")
}

// verdicts are what a whole comes to; its parts have others beside.
var verdicts = []compare.Verdict{compare.Worse, compare.Better, compare.Changed, compare.Same, compare.Inconclusive}

// fractions is an interval of a share.
func fractions(text string) object {
	return about(text).with(object{"items": object{"type": "number", "minimum": 0, "maximum": 1}})
}

func init() {
	describes[compare.Comparison](keys{
		"schema":          exactly(compare.Schema, "format of the document"),
		"schema_version":  shaped(version1, versionText),
		"old":             about("the run that is compared with"),
		"new":             about("the run that is judged"),
		"doubt":           about("what makes every series inconclusive; empty without such a doubt"),
		"margin_ms":       atLeast(0, "difference of a time that is allowed, milliseconds"),
		"margin_percent":  atLeast(0, "difference of a time that is allowed, percent of the smaller median; the larger margin counts"),
		"verdict":         oneOf(verdicts, "the worst verdict of the series: worse, then inconclusive, better, changed, same"),
		"counts":          about("how many series came to which verdict"),
		"series":          about("what both runs have, in the order of the old one"),
		"only_old":        about("series that the new run does not have"),
		"only_new":        about("series that the old run does not have"),
		"missing_allowed": about("whether series that only the old run has are no doubt (--allow-missing); absent unless they are"),
		"notes":           about("what else differs between the runs, for people"),
	})
	describes[compare.Side](keys{
		"name":               about("the run directory, as it was given"),
		"complete":           about("whether the run got to its end"),
		"why":                about("why it did not; absent if it did"),
		"mismatches":         about("what in its directory is not what the run wrote; absent without any"),
		"noise_floor_p95_ms": atLeast(0, "how late deadlines were in the client's process during the run, 95th percentile, milliseconds; null if it was not measured"),
	})
	describes[compare.Tally](keys{
		"series":       atLeast(0, "all series that both runs have"),
		"worse":        atLeast(0, "series with a regression"),
		"better":       atLeast(0, "series that are better and nowhere worse"),
		"changed":      atLeast(0, "series that differ and are neither better nor worse"),
		"same":         atLeast(0, "series without a difference"),
		"inconclusive": atLeast(0, "series of which nothing can be said"),
	})
	describes[compare.Name](keys{
		"scenario": about("name of the scenario"),
		"variant":  about("name of the client variant"),
		"label":    about("short name of the variant"),
		"reason":   about("why the other run cannot have it; absent if nothing says so"),
	})
	describes[compare.Series](keys{
		"scenario":        about("name of the scenario"),
		"old":             about("the series of the old run"),
		"new":             about("the series of the new run; another variant with --map"),
		"ending":          about("how operations ended"),
		"times":           about("how long they took, one entry per outcome; empty where the ending changed"),
		"attempts":        about("attempts per operation; null where the ending changed or a client does not report them"),
		"server_requests": about("requests per operation that the server received; null where the ending changed"),
		"verdict":         oneOf(verdicts, "what the parts come to"),
		"doubt":           about("what makes every judgement on it inconclusive; empty without such a doubt"),
	})
	describes[compare.Cell](keys{
		"variant":   about("name of the client variant"),
		"label":     about("short name of the variant"),
		"planned":   atLeast(0, "measured operations that were planned"),
		"n":         atLeast(0, "operations that count: planned less invalid, disturbed and missing ones"),
		"invalid":   atLeast(0, "operations whose fault is not proven to have fired on time, or that lack events"),
		"disturbed": atLeast(0, "operations that a stall of the machine explains"),
	})
	describes[compare.Ending](keys{
		"changed":  about("beyond chance: no time is compared"),
		"outcomes": about("operations by outcome, in both runs"),
		"promise":  about("operations by what the caller got, in both runs"),
		"verdict":  oneOf([]compare.Verdict{compare.Worse, compare.Better, compare.Same, compare.Inconclusive}, "whether the caller is worse or better off"),
		"reason":   about("why; empty when there is nothing to explain"),
	})
	describes[compare.Count](keys{
		"changed": about("whether the counts differ beyond chance"),
		"shares":  about("operations by count, in both runs"),
		"verdict": oneOf([]compare.Verdict{compare.More, compare.Fewer, compare.Changed, compare.Same, compare.Inconclusive}, "more is a regression"),
		"reason":  about("why; empty when there is nothing to explain"),
	})
	describes[compare.Share](keys{
		"value": about("an outcome, a promise, or a count as text"),
		"old":   about("operations of the old run that show it"),
		"new":   about("operations of the new run that show it"),
		"p":     between(0, 1, "probability of so different shares by chance: Fisher's exact test, two-sided"),
	})
	describes[compare.Part](keys{
		"count": atLeast(0, "operations that show the value"),
		"n":     atLeast(0, "operations that count"),
		"ci95":  fractions("Wilson's 95 % interval of the share"),
	})
}
