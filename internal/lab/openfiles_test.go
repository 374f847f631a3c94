package lab

import (
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"strings"
	"testing"
)

func TestParallelWithin(t *testing.T) {
	for _, c := range []struct {
		limit    uint64
		asked    int
		parallel int
		note     string
		refused  string
		hint     string
	}{
		{limit: 0, asked: 0},                                   // nobody knows the limit
		{limit: 0, asked: 2000, parallel: 2000},                //
		{limit: 20000, asked: 0},                               // the runner's own choice
		{limit: 556, asked: 0},                                 // just enough
		{limit: 555, asked: 0, parallel: 149, note: "149 in"},  // one operation less
		{limit: 258, asked: 0, parallel: 1, note: "1 instead"}, //
		{limit: 257, asked: 0, refused: "only 257 files", hint: "raise the limit: `ulimit -n 556`"},
		{limit: 64, asked: 1, refused: "a run needs 256 and 2 more", hint: "raise the limit: `ulimit -n 258`"},
		{limit: 556, asked: 200, refused: "--parallel 200 needs 656", hint: "lower it to --parallel 150, or raise the limit: `ulimit -n 656`"},
		{limit: 258, asked: 1, parallel: 1},
		{limit: 258, asked: 2, refused: "--parallel 2 needs 260", hint: "lower it to --parallel 1, or raise"},
		{limit: 1024, asked: 384, parallel: 384},
		{limit: 1024, asked: 385, refused: "--parallel 385 needs 1026", hint: "--parallel 384"},
	} {
		parallel, note, err := ParallelWithin(c.limit, c.asked)
		if parallel != c.parallel || !strings.Contains(note, c.note) || (note == "") != (c.note == "") {
			t.Errorf("limit %d, asked %d: %d, %q", c.limit, c.asked, parallel, note)
		}
		checkUsage(t, err, c.refused, c.hint)
	}
}

func TestEnoughFiles(t *testing.T) {
	for _, limit := range []uint64{0, 270, 20000} {
		if err := EnoughFiles(limit, 7); err != nil {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	checkUsage(t, EnoughFiles(269, 7), "7 operations at once need 270", "ulimit -n 270")
}

// A doctor asks for what the doctor needs, not for what a run does.
func TestEnoughToExamine(t *testing.T) {
	checkUsage(t, EnoughToExamine(355), "the examination needs 356", "ulimit -n 356")
	checkUsage(t, EnoughToExamine(356), "", "")
}

// checkUsage holds an error of code 64 against parts of its text and hint.
func checkUsage(t *testing.T, err error, text, hint string) {
	t.Helper()
	if text == "" {
		if err != nil {
			t.Errorf("unexpected error: %v", err)
		}
		return
	}
	e, ok := err.(*exit.Error)
	if !ok || e.Code != exit.Usage || !strings.Contains(e.Error(), text) || !strings.Contains(e.Hint, hint) {
		t.Errorf("got %#v, expected code 64, %q and the hint %q", err, text, hint)
	}
}
