package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/deadlinelab/deadlinelab/test/browser/chromium"
)

// reported is one run of a few scenarios with its report, made once for all
// tests.
type reported struct {
	Dir  string // run directory
	URL  string // of the report, a file
	Home string // what every request of it must begin with
}

var report = sync.OnceValues(func() (reported, error) {
	root := filepath.Join(filepath.Dir(built.Path), "runs")
	r := reported{Dir: filepath.Join(root, "20260101T000000Z-browser")}
	if err := os.Mkdir(root, 0o777); err != nil {
		return r, err
	}
	code, output, err := built.Run(root, "run", "semaphore_wait", "slow_headers", "cancel_in_http", "--repeats", "1", "--operations", "6", "--out", r.Dir)
	if err != nil || (code != 0 && code != 12) { // 12: a busy machine
		return r, fmt.Errorf("bench run: exit code %d: %w: %s", code, err, output)
	}
	file := filepath.Join(root, "report.html")
	code, output, err = built.Run(root, "report", r.Dir, "--format", "html", "-o", file)
	if err != nil || code != 0 {
		return r, fmt.Errorf("bench report: exit code %d: %w: %s", code, err, output)
	}
	r.URL = "file://" + file
	r.Home = r.URL
	return r, nil
})

func openReport(t *testing.T, hash string) (reported, *chromium.Tab) {
	t.Helper()
	r, err := report()
	must(t, err)
	tab := openTab(t, r.Home)
	must(t, tab.Go(r.URL+hash))
	return r, tab
}

// series is what these tests need of summary.json.
type series struct {
	Scenario   string         `json:"scenario"`
	Label      string         `json:"label"`
	Promise    map[string]int `json:"promise"`
	DurationMs *struct {
		Median float64 `json:"median"`
	} `json:"duration_ms"`
	Representative string `json:"representative"`
}

func (r reported) series(t *testing.T) []series {
	t.Helper()
	var summary struct {
		Series []series `json:"series"`
	}
	data, err := os.ReadFile(filepath.Join(r.Dir, "summary.json"))
	must(t, err)
	must(t, json.Unmarshal(data, &summary))
	return summary.Series
}

// operation is what these tests need of operations.jsonl.
type operation struct {
	Op         string  `json:"op"`
	Scenario   string  `json:"scenario"`
	Phase      string  `json:"phase"`
	DurationMs float64 `json:"duration_ms"`
	BudgetMs   float64 `json:"budget_ms"`
	Attempts   []struct {
		FromMs float64 `json:"from_ms"`
		ToMs   float64 `json:"to_ms"`
	} `json:"attempts"`
}

func (r reported) operations(t *testing.T) []operation {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.Dir, "operations.jsonl"))
	must(t, err)
	var list []operation
	for line := range strings.Lines(string(data)) {
		var o operation
		must(t, json.Unmarshal([]byte(line), &o))
		if o.Phase == "measured" {
			list = append(list, o)
		}
	}
	return list
}

// promiseClass is how the page names a promise in its style.
var promiseClass = map[string]string{"kept": "kept", "failed_in_time": "failed", "late": "late", "unbounded": "unbounded", "cancelled": "cancelled"}

// commonest is the promise of most operations; empty on a tie.
func (s series) commonest() string {
	best, tie := "", false
	for p, n := range s.Promise {
		switch {
		case n > s.Promise[best]:
			best, tie = p, false
		case n == s.Promise[best]:
			tie = true
		}
	}
	if tie {
		return ""
	}
	return best
}

// Every series is a cell of the matrix with the class of its promise and its
// median.
func TestMatrix(t *testing.T) {
	r, tab := openReport(t, "")
	list := r.series(t)
	if got := value[int](t, tab, `document.querySelectorAll(".matrix td.promise").length`); got != len(list) || got == 0 {
		t.Fatalf("the matrix has %d cells, the summary %d series", got, len(list))
	}
	type cell struct{ Class, Text string }
	for _, s := range list {
		got := value[cell](t, tab, fmt.Sprintf(`(() => {
			const column = [...document.querySelectorAll(".matrix thead th")].findIndex((h) => h.querySelector("b")?.textContent === %q);
			const row = [...document.querySelectorAll(".matrix tbody tr")].find((r) => r.cells[0].querySelector("a").textContent === %q);
			return { class: row.cells[column].className, text: row.cells[column].textContent };
		})()`, s.Label, s.Scenario))
		if p := s.commonest(); p != "" && got.Class != "promise "+promiseClass[p] {
			t.Errorf("%s %s: class %q for the promise %s", s.Scenario, s.Label, got.Class, p)
		}
		if want := fmt.Sprintf("%.0f", s.DurationMs.Median); !strings.Contains(got.Text, want) {
			t.Errorf("%s %s: the cell says %q without the median %s", s.Scenario, s.Label, got.Text, want)
		}
	}
}

// misplaced lists what stands elsewhere than the axis says, by the bounding
// boxes on the screen: the ticks are numbers centred over their moments.
const misplaced = `((svg) => {
	const box = (e) => e.getBoundingClientRect(), middle = (e) => box(e).left + box(e).width / 2;
	const ticks = [...svg.querySelectorAll("[data-tick]")].map((e) => [Number(e.getAttribute("data-tick")), middle(e)]);
	const [[fromMs, fromX], [toMs, toX]] = [ticks[0], ticks.at(-1)], x = (ms) => fromX + (ms - fromMs) / (toMs - fromMs) * (toX - fromX);
	const wrong = [];
	let seen = 0;
	const check = (what, ms, at, within) => { seen++; if (Math.abs(at - x(ms)) > within) wrong.push(what + " of " + ms + " ms stands " + (at - x(ms)).toFixed(2) + " px off"); };
	for (const [ms, at] of ticks) check("tick", ms, at, 1);
	for (const m of svg.querySelectorAll(".mark[data-ms]")) check("mark", Number(m.getAttribute("data-ms")), middle(m.querySelector("path, circle")), 1);
	for (const b of svg.querySelectorAll(".bar[data-ms-from]")) {
		const rect = box(b.querySelector("rect"));
		check("bar's start", Number(b.getAttribute("data-ms-from")), rect.left, 1);
		if (rect.width > 3) check("bar's end", Number(b.getAttribute("data-ms-to")), rect.right, 1);
	}
	return { seen, wrong };
})`

type placement struct {
	Seen  int
	Wrong []string
}

// A mark at 1000 ms stands where the axis says 1000 ms.
func TestGeometry(t *testing.T) {
	_, tab := openReport(t, "")
	all := value[[]placement](t, tab, `[...document.querySelectorAll("section.scenario svg.drawing")].filter((s) => s.querySelector("[data-tick]") && s.querySelector(".mark[data-ms]")).map(`+misplaced+`)`)
	if len(all) != 3 {
		t.Fatalf("%d timelines were looked at, expected one for each of 3 scenarios", len(all))
	}
	for i, p := range all {
		if p.Seen < 100 {
			t.Errorf("timeline %d has only %d moments", i, p.Seen)
		}
		for _, wrong := range p.Wrong {
			t.Errorf("timeline %d: %s", i, wrong)
		}
	}
	deadlines := value[int](t, tab, `document.querySelectorAll("section.scenario .mark.limit[data-ms='1000']").length`)
	if deadlines == 0 {
		t.Error("no deadline of 1000 ms is drawn")
	}
}

// Any operation opens by its address, drawn from its events.
func TestDeepLink(t *testing.T) {
	r, err := report()
	must(t, err)
	list := r.operations(t)
	for _, o := range []operation{list[0], list[len(list)/2], list[len(list)-1]} {
		_, tab := openReport(t, "#op="+o.Op)
		must(t, tab.Await(`document.getElementById("operation").open`))
		if text := value[string](t, tab, `document.getElementById("operation-facts").textContent`); !strings.HasPrefix(text, o.Op+": ") {
			t.Errorf("%s opens %q", o.Op, text)
		}
		got := value[placement](t, tab, misplaced+`(document.querySelector("#operation-picture svg"))`)
		for _, wrong := range got.Wrong {
			t.Errorf("%s: %s", o.Op, wrong)
		}
		moments := value[[]float64](t, tab, `[...document.querySelectorAll("#operation-picture .mark[data-ms]")].map((m) => Number(m.getAttribute("data-ms")))`)
		has := func(what string, ms float64) {
			for _, m := range moments {
				if m-ms < 0.011 && ms-m < 0.011 { // moments are packed in hundredths
					return
				}
			}
			t.Errorf("%s: no mark for %s at %.3f ms among %v", o.Op, what, ms, moments)
		}
		has("the return", o.DurationMs)
		for _, a := range o.Attempts {
			has("the start of an attempt", a.FromMs)
			has("the end of an attempt", a.ToMs)
		}
		must(t, tab.Press(kb.Escape))
		must(t, tab.Await(`!document.getElementById("operation").open && location.hash === ""`))
	}
}

// An address that names a series or no operation at all does no harm.
func TestOtherAddresses(t *testing.T) {
	_, tab := openReport(t, "#op=nothing")
	if value[bool](t, tab, `document.getElementById("operation").open`) {
		t.Error("an operation that does not exist is shown")
	}
	must(t, tab.Click(".matrix tbody td.promise a"))
	if hash := value[string](t, tab, `location.hash`); !value[bool](t, tab, `!!document.querySelector(location.hash)`) {
		t.Errorf("the cell leads to %s, which is not in the page", hash)
	}
}

// The matrix and an open operation can be walked with the keyboard.
func TestReportKeyboard(t *testing.T) {
	_, tab := openReport(t, "")
	must(t, tab.Press(kb.Tab))
	if got := value[string](t, tab, `document.activeElement.className`); got != "skip" {
		t.Errorf("the first stop is %q, expected the link that skips to the matrix", got)
	}
	value[bool](t, tab, `(document.querySelector(".matrix tbody tr:first-child td.promise a").focus(), true)`)
	place := `[document.activeElement.closest("tr").rowIndex, document.activeElement.closest("td").cellIndex].join()`
	before := value[string](t, tab, place)
	must(t, tab.Press(kb.ArrowRight))
	must(t, tab.Press(kb.ArrowDown))
	if after := value[string](t, tab, place); before != "1,1" || after != "2,2" {
		t.Errorf("arrow keys went from %s to %s, expected from 1,1 to 2,2", before, after)
	}
	r, err := report()
	must(t, err)
	must(t, tab.Go(r.URL+"#op="+r.operations(t)[0].Op))
	must(t, tab.Await(`document.getElementById("operation").open`))
	first := value[string](t, tab, `location.hash`)
	must(t, tab.Press(kb.ArrowRight))
	must(t, tab.Press(kb.ArrowLeft))
	must(t, tab.Press(kb.ArrowLeft))
	must(t, tab.Await(`location.hash.startsWith("#op=")`))
	if value[int](t, tab, `document.getElementById("operation-choice").length`) != 6 {
		t.Errorf("%s: the series is expected to have 6 operations to choose from", first)
	}
}

func TestReportDarkAndLight(t *testing.T) {
	_, tab := openReport(t, "")
	var paper []string
	for _, dark := range []bool{false, true} {
		must(t, tab.Dark(dark))
		paper = append(paper, value[string](t, tab, background))
		if got := value[float64](t, tab, contrast); got < 7 {
			t.Errorf("dark %t: the contrast of the text is %.1f, expected at least 7", dark, got)
		}
	}
	if paper[0] == paper[1] {
		t.Errorf("dark and light have the same background %s", paper[0])
	}
}

// With scripts blocked the page still shows matrix, tables and timelines, and
// nothing that would need one.
func TestReportWithoutScripts(t *testing.T) {
	r, err := report()
	must(t, err)
	tab := openTab(t, r.Home)
	must(t, tab.BlockScripts())
	must(t, tab.Go(r.URL))
	type seen struct{ Cells, Timelines, Figures, Live int }
	got := value[seen](t, tab, `(() => {
		const visible = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().height > 0).length;
		return { cells: visible(".matrix td.promise"), timelines: visible("section.scenario svg.drawing .block"), figures: visible(".figures tbody tr"), live: visible(".live") };
	})()`)
	n := len(r.series(t))
	if got.Cells != n || got.Timelines != n || got.Figures != n || got.Live != 0 {
		t.Errorf("visible are %+v, expected %d cells, timelines and rows of figures, and nothing that needs a script", got, n)
	}
}
