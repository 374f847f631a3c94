package scenario

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

func TestEmbeddedScenariosLoad(t *testing.T) {
	seen := map[string]string{}
	for _, file := range embedded() {
		s, err := parseEmbedded(file)
		if err != nil {
			t.Errorf("%s:\n%v", file, err)
			continue
		}
		if other, dup := seen[s.Name]; dup {
			t.Errorf("%s and %s have the same name", file, other)
		}
		seen[s.Name] = file
	}
}

func TestCoreOrder(t *testing.T) {
	var got []string
	for _, s := range Core() {
		got = append(got, s.Name)
		if s.Rung != "core" {
			t.Errorf("%s has the rung %q", s.Name, s.Rung)
		}
	}
	if diff := cmp.Diff(coreOrder, got); diff != "" {
		t.Error(diff)
	}
	for i, s := range All()[:len(got)] {
		if s.Name != got[i] {
			t.Errorf("All has %s at %d, Core has %s", s.Name, i, got[i])
		}
	}
}

// What Load returns belongs to the caller.
func TestLoadReturnsCopies(t *testing.T) {
	a, err := Load("healthy")
	if err != nil {
		t.Fatal(err)
	}
	a.Operation.BackoffMs[0] = 7
	if b, _ := Load("healthy"); b.Operation.BackoffMs[0] != 100 {
		t.Error("a change of one copy shows in another")
	}
}

func TestUnknownName(t *testing.T) {
	_, err := Load("slow_header")
	if !errors.Is(err, ErrUnknown) || !strings.HasSuffix(err.Error(), `found "slow_header"; did you mean "slow_headers"?`) {
		t.Error(err)
	}
	_, err = Load("resembles_nothing_at_all")
	if !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "such as healthy, semaphore_wait, slow_headers") {
		t.Error(err)
	}
}

func TestLoadPath(t *testing.T) {
	s, err := Load("testdata/planted.yaml")
	if err != nil || s.Name != "planted" || s.File != "testdata/planted.yaml" {
		t.Errorf("%+v %v", s, err)
	}
	if _, err := Load("nowhere.yaml"); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "nowhere.yaml") {
		t.Error(err)
	}
	if _, err := Load("./"); err == nil {
		t.Error("a folder was read")
	}
}

func TestEmbeddedNameIsTheFilesName(t *testing.T) {
	s := mustParse(t, small)
	want := `x.yaml:1:7: name: found "tiny", expected "other", the file's name; rename one of the two`
	if err := sameName(s, "other"); err == nil || err.Error() != want {
		t.Error(err)
	}
}

// The planted file differs from semaphore_wait in one expectation only, and
// that one is D's.
func TestPlantedExpectsTheWrongVariant(t *testing.T) {
	planted, err := Load("testdata/planted.yaml")
	if err != nil {
		t.Fatal(err)
	}
	real, err := Load("semaphore_wait")
	if err != nil {
		t.Fatal(err)
	}
	wrong := planted.Expect["deadline_after_admission"]
	if diff := cmp.Diff(real.Expect["operation_deadline"], wrong); diff != "" {
		t.Error(diff)
	}
	planted.Expect["deadline_after_admission"] = real.Expect["deadline_after_admission"]
	if diff := cmp.Diff(real.Expect, planted.Expect); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(real.Fault, planted.Fault); diff != "" {
		t.Error(diff)
	}
}

// study is what the published study measured for its four variants: outcome,
// attempts and requests of each (-1: not published).
var study = map[string][4]struct {
	outcome            eventlog.Outcome
	attempts, requests int
}{
	"healthy":           {{"success", 1, 1}, {"success", 1, 1}, {"success", 1, 1}, {"success", 1, 1}},
	"semaphore_wait":    {{"success", -1, -1}, {"success", -1, -1}, {"success", -1, -1}, {"deadline_exceeded", 0, 0}},
	"slow_headers":      {{"attempt_timeout", 1, -1}, {"retries_exhausted", 3, -1}, {"deadline_exceeded", 2, 2}, {"deadline_exceeded", 2, 2}},
	"slow_body":         {{"success", -1, -1}, {"success", -1, -1}, {"deadline_exceeded", -1, -1}, {"deadline_exceeded", -1, -1}},
	"pool_wait":         {{"success", -1, -1}, {"success", -1, -1}, {"deadline_exceeded", 1, 0}, {"deadline_exceeded", 1, 0}},
	"transient_error":   {{"unexpected_status", 1, -1}, {"success", 2, -1}, {"success", 2, -1}, {"success", 2, -1}},
	"persistent_error":  {{"unexpected_status", 1, -1}, {"retries_exhausted", 3, -1}, {"retries_exhausted", 3, -1}, {"retries_exhausted", 3, -1}},
	"cancel_in_http":    {{"cancelled", 1, 1}, {"cancelled", 1, 1}, {"cancelled", 1, 1}, {"cancelled", 1, 1}},
	"cancel_in_backoff": {{}, {"cancelled", 1, 1}, {"cancelled", 1, 1}, {"cancelled", 1, 1}},
}

func TestExpectationsAgreeWithTheStudy(t *testing.T) {
	for name, results := range study {
		s, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, variant := range []string{"single_attempt", "attempt_timeout", "deadline_after_admission", "operation_deadline"} {
			e, takesPart := s.Expect[variant]
			if want := results[i]; takesPart != (want.outcome != "") || takesPart && (!e.is(want.outcome) ||
				want.attempts >= 0 && !e.Attempts.only(want.attempts) || want.requests >= 0 && !e.ServerRequests.only(want.requests)) {
				t.Errorf("%s, %s: the study has %+v", name, variant, want)
			}
		}
	}
}

// The settings of the study's files, where they are not the defaults.
func TestSettingsAreTheStudys(t *testing.T) {
	for _, s := range Core() {
		want := defaults()
		want.Operation.BudgetMs = 1000
		switch s.Name {
		case "slow_body":
			want.Attempt = Limits{new(1600.), new(300.), new(300.), new(200.)}
		case "pool_wait":
			want.Attempt = Limits{new(2000.), new(2000.), new(300.), nil}
			want.Pool = &Pool{1, 1}
		case "cancel_in_backoff", "backoff_holds_slot":
			want.Operation.BackoffMs = []float64{600, 600}
		}
		if diff := cmp.Diff(want.Operation, s.Operation) + cmp.Diff(want.Attempt, s.Attempt) + cmp.Diff(want.Pool, s.Pool); diff != "" {
			t.Errorf("%s:\n%s", s.Name, diff)
		}
	}
}

// Every expectation that ships judges when the operation ended, with how many
// attempts and requests, and how, unless that is a race by nature. Where the end
// is at the deadline by another timer than the deadline's, whether it is late is
// left open, but not whether it was a success in time.
func TestExpectationsAreComplete(t *testing.T) {
	for _, s := range All() {
		race := s.CallersOf() > 1 || s.Type == "reset_on_accept" || s.Type == "early_answer"
		for variant, e := range s.Expect {
			if e.DurationMs == nil || e.Attempts == nil || e.ServerRequests == nil || !race && (e.Outcome == nil || e.Late == nil && e.InBudget == nil) {
				t.Errorf("%s, %s: %+v", s.Name, variant, e)
			}
		}
	}
}

func TestPoolWaitConnectLimit(t *testing.T) {
	s, err := Load(filepath.Join("testdata", "pool_wait_connect_limit.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if *s.Attempt.ConnectMs != 100 || s.Attempt.SockReadMs != nil {
		t.Errorf("%+v", s.Attempt)
	}
	for variant, e := range s.Expect {
		if !e.is(eventlog.ConnectTimeout) || e.DurationMs.Ms != 100 || !e.Attempts.only(1) || !e.ServerRequests.only(0) {
			t.Errorf("%s: %+v", variant, e)
		}
	}
}
