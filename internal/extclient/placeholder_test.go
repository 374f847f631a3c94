package extclient

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestExpand(t *testing.T) {
	v := values{url: "http://h:1/op/x/", budget: 1500 * time.Millisecond, id: "x"}
	for arg, want := range map[string]string{
		"{url}":                      "http://h:1/op/x/",
		"--max-time={budget_s}":      "--max-time=1.5",
		"{budget_ms}{id}{id}":        "1500xx",
		"{url}?a={id}":               "http://h:1/op/x/?a=x",
		"{{url}} {{print}}":          "{url} {print}",
		"%{http_code} %{url} ${url}": "%{http_code} %{url} ${url}",
		`{"url":"{url}"} {} {a,b}`:   `{"url":"http://h:1/op/x/"} {} {a,b}`,
		"{{URL}} {url } { url}":      "{URL} {url } { url}",
		"%{URL} ${URL} {1} {1,2}":    "%{URL} ${URL} {1} {1,2}",
		"{{json .}} {{{id}}}":        "{{json .}} {{id}}",
	} {
		if err := Check([]string{arg}); err != nil {
			t.Errorf("Check(%q): %v", arg, err)
		}
		if got := expand([]string{"c", arg}, v); got[1] != want {
			t.Errorf("expand(%q) = %q, want %q", arg, got[1], want)
		}
	}
}

// Fractions of a millisecond are not lost, and no exponent is written.
func TestBudgets(t *testing.T) {
	for budget, want := range map[time.Duration][]string{
		time.Second:             {"1", "1000"},
		300 * time.Millisecond:  {"0.3", "300"},
		1500 * time.Microsecond: {"0.0015", "1.5"},
		120 * time.Second:       {"120", "120000"},
	} {
		v := values{budget: budget}
		if got := expand([]string{"{budget_s}", "{budget_ms}"}, v); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", budget, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for arg, want := range map[string]string{
		"{uri}":       `word 2: found {uri}, expected one of {url} {budget_s} {budget_ms} {id}; did you mean "url"?; for the characters themselves write {{uri}}`,
		"{budget}":    `did you mean "budget_s"?`,
		"{URL}":       `word 2: found {URL}, expected one of {url} {budget_s} {budget_ms} {id}; did you mean "url"?; for the characters themselves write {{URL}}`,
		"{Url}":       `did you mean "url"?`,
		"{budget-ms}": `did you mean "budget_ms"?`,
		"{budgetMs}":  `found {budgetMs}, expected`,
		"{BUDGET_S}":  `did you mean "budget_s"?`,
		"{id}{print}": `found {print}`,
	} {
		err := Check([]string{"c", arg})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check(%q): %v, want %q", arg, err, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	v := values{url: "u", budget: time.Second, id: "i"}
	got := environment([]string{"PATH=/bin", "http_proxy=http://127.0.0.1:9", "HTTP_PROXY=x", "Https_Proxy=x", "ALL_PROXY=x", "all_proxy=x",
		"no_proxy=x", "DEADLINELAB_TOKEN=secret", "DEADLINELAB_ID=old", "MY_HTTP_PROXY=kept", "EMPTY="}, v.pairs()...)
	want := []string{"PATH=/bin", "MY_HTTP_PROXY=kept", "EMPTY=", "NO_PROXY=*", "no_proxy=*", "DEADLINELAB_BENCH=" + Mark(),
		"DEADLINELAB_URL=u", "DEADLINELAB_BUDGET_S=1", "DEADLINELAB_BUDGET_MS=1000", "DEADLINELAB_ID=i"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
