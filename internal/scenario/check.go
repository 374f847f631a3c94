package scenario

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// required keys, and what to write for each.
var required = []struct{ path, want string }{
	{"name", "a name, [a-z0-9_]+"},
	{"question", "one sentence that asks what the scenario answers"},
	{"lesson", "one or two sentences to take away"},
	{"contrast", "two of the variants, [a, b]"},
	{"operation.budget_ms", "the caller's budget, 1 … 120000 ms"},
	{"scenario.type", "the kind of upstream"},
	{"variants", "a list of client variants"},
	{"expect", "an expectation for each variant"},
}

// check judges the decoded scenario as a whole.
func (w *walker) check(s *Scenario) {
	w.checkRequired()
	w.checkNames(s)
	w.checkRetries(&s.Operation)
	w.checkFault(s)
	w.checkArrangement(s)
	w.checkRequest(s)
	w.checkCallers(s)
	w.checkCap(s)
	w.checkVariants(s)
	w.checkContrast(s)
	w.checkExpect(s)
}

func (w *walker) checkRequired() {
	for _, r := range required {
		if !w.has(r.path) && w.clean(topOf(r.path)) {
			w.reject(r.path, "nothing", r.want, "add the key")
		}
	}
}

func topOf(path string) string {
	top, _, _ := strings.Cut(path, ".")
	return top
}

var (
	namePattern    = regexp.MustCompile(`^[a-z0-9_]{1,48}$`)
	rungPattern    = regexp.MustCompile(`^[a-z0-9_-]{0,48}$`)
	variantPattern = regexp.MustCompile(`^[A-Za-z0-9_.~-]{1,48}$`)
)

func (w *walker) checkNames(s *Scenario) {
	if w.has("name") && !namePattern.MatchString(s.Name) {
		w.reject("name", quoted(s.Name), "1 … 48 of a-z, 0-9 and _, for it becomes part of operation ids", "rename the scenario")
	}
	if w.has("rung") && !rungPattern.MatchString(s.Rung) {
		w.reject("rung", quoted(s.Rung), "up to 48 of a-z, 0-9, _ and -", "rename the rung")
	}
	w.checkText("question", s.Question)
	w.checkText("lesson", s.Lesson)
}

// longestText is far more than a slide or a terminal shows of a text.
const longestText = 4000

func (w *walker) checkText(path, text string) {
	control := strings.IndexFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
	switch n := utf8.RuneCountInString(text); {
	case !w.has(path):
	case strings.TrimSpace(text) == "":
		w.reject(path, "an empty text", "a sentence", "write it: the demo prints it")
	case n > longestText:
		w.reject(path, fmt.Sprintf("%d characters", n), fmt.Sprintf("at most %d", longestText), "shorten it: the demo prints it")
	case control >= 0:
		r, _ := utf8.DecodeRuneInString(text[control:])
		w.reject(path, fmt.Sprintf("the control character %U", r), "plain text", "remove it: terminals obey such characters")
	}
}

// retryable are the failures of an attempt that have no status.
var retryable = []eventlog.Outcome{eventlog.AttemptTimeout, eventlog.ConnectTimeout, eventlog.ConnectError,
	eventlog.TransportError, eventlog.InvalidData}

func (w *walker) checkRetries(o *Operation) {
	if n := len(o.BackoffMs); n == 0 || n > MaxAttempts {
		w.reject("operation.backoff_ms", fmt.Sprintf("%d entries", n), fmt.Sprintf("1 … %d entries", MaxAttempts), "write [0] for no pause")
	}
	w.checkJitter(o.Jitter)
	for i, f := range o.RetryableFailures {
		if !slices.Contains(retryable, f) {
			next := suggest(string(f), strings.Split(names(retryable), ", "), "choose one of these; statuses belong into retryable_statuses")
			w.reject(fmt.Sprintf("operation.retryable_failures[%d]", i), quoted(string(f)), "one of "+names(retryable), next)
		}
	}
	once(w, "operation.retryable_failures", o.RetryableFailures)
	once(w, "operation.retryable_statuses", o.RetryableStatuses)
}

func (w *walker) checkJitter(j *Jitter) {
	const path = "operation.jitter"
	switch {
	case j == nil || !w.clean(path):
	case !w.has(path + ".max_ms"):
		w.reject(path+".max_ms", "nothing", "the greatest addition in ms", "add the key, or write jitter: false")
	default:
		window(w, path, &j.MinMs, &j.MaxMs, "min_ms", "max_ms")
	}
}

// once refuses an entry that the list already has.
func once[T comparable](w *walker, path string, list []T) {
	for i, v := range list {
		if first := slices.Index(list, v); first < i {
			w.reject(fmt.Sprintf("%s[%d]", path, i), entry(v)+" a second time", "each entry once", "remove it")
		}
	}
}

func entry(v any) string {
	if r := reflect.ValueOf(v); r.Kind() == reflect.String {
		return quoted(r.String())
	}
	return fmt.Sprintf("%+v", v)
}

func (w *walker) checkFault(s *Scenario) {
	if s.Fault == nil {
		return
	}
	for _, p := range s.Fault.Check() {
		w.reject("scenario."+p.Field, p.Found, p.Want, "choose another value")
	}
}

// checkArrangement refuses a file in which the fault could never be met: who
// holds the only slot or connection needs there to be just one. A held slot
// makes one slot the default, and so does an operation that goes first.
func (w *walker) checkArrangement(s *Scenario) {
	if s.Fault == nil || !w.clean("scenario") {
		return
	}
	a := s.Fault.Arrangement()
	w.checkOnlySlot(s, a.HoldSlot > 0 || a.LeadUntil != "")
	if p := s.Pool; a.HoldConnection > 0 && (p == nil || p.Limit != 1 && p.LimitPerHost != 1) {
		w.reject("pool", poolText(p), fmt.Sprintf("a limit of 1, because %s holds the only connection", s.Type), "write pool: {limit: 1}")
	}
}

func (w *walker) checkOnlySlot(s *Scenario, held bool) {
	if held && !w.has("slots") {
		s.Slots = 1
	}
	if held && s.Slots != 1 {
		w.reject("slots", fmt.Sprint(s.Slots), fmt.Sprintf("1, because %s holds the only slot", s.Type), "write slots: 1")
	}
}

func poolText(p *Pool) string {
	if p == nil {
		return "no limit"
	}
	return fmt.Sprintf("{limit: %d, limit_per_host: %d}", p.Limit, p.LimitPerHost)
}

func (w *walker) checkVariants(s *Scenario) {
	if w.has("variants") && len(s.Variants) == 0 {
		w.reject("variants", "no variant", "at least two", "list the variants that take part")
	}
	for i, v := range s.Variants {
		w.checkVariantName(fmt.Sprintf("variants[%d]", i), v)
	}
	once(w, "variants", s.Variants)
}

func (w *walker) checkVariantName(path, name string) {
	if !variantPattern.MatchString(name) {
		w.reject(path, quoted(name), "the name of a variant", "bench list --variants shows them")
	}
}

func (w *walker) checkContrast(s *Scenario) {
	if w.has("contrast") && len(s.Contrast) != 2 {
		w.reject("contrast", fmt.Sprintf("%d entries", len(s.Contrast)), "two variants", "name the two whose difference shows the lesson")
	}
	for i, v := range s.Contrast {
		if !slices.Contains(s.Variants, v) && w.clean("variants") {
			w.reject(fmt.Sprintf("contrast[%d]", i), quoted(v), "one of the variants listed: "+names(s.Variants), suggest(v, s.Variants, "list it under variants too"))
		}
	}
	once(w, "contrast", s.Contrast)
}

func quoted(s string) string { return fmt.Sprintf("%q", short(s)) }
