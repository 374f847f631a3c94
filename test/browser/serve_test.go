package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/deadlinelab/deadlinelab/test/browser/bench"
	"github.com/deadlinelab/deadlinelab/test/browser/chromium"
)

func served(t *testing.T, args ...string) *bench.Served {
	t.Helper()
	s, err := built.Serve(t.TempDir(), args...)
	must(t, err)
	t.Cleanup(func() {
		if code, stderr, err := s.Stop(); err != nil || code != 0 {
			t.Errorf("bench serve ended with exit code %d: %v: %s", code, err, stderr)
		}
	})
	return s
}

// predict clicks a promise and counts requests up from nothing.
func predict(t *testing.T, tab *chromium.Tab, variant, promise string, requests int) {
	t.Helper()
	choice := fmt.Sprintf(".choice[data-variant=%s] ", variant)
	must(t, tab.Click(choice+"label."+promise))
	for range requests {
		must(t, tab.Click(choice+".amount:last-child [data-step='1']"))
	}
}

const revealed = `!!document.querySelector("#reveal")`

// The whole way of a workshop with real runs: predict, run, reveal, replay,
// run thirty.
func TestWorkshop(t *testing.T) {
	s := served(t)
	tab := openTab(t, s.URL)
	must(t, tab.Go(s.URL))
	must(t, tab.Click(`a[href="/scenarios/slow_headers"]`))
	must(t, tab.Await(`!!document.getElementById("predict")`))
	predict(t, tab, "attempt_timeout", "late", 3)
	predict(t, tab, "operation_deadline", "kept", 2)
	must(t, tab.Click(".choice[data-variant=operation_deadline] .amount:first-of-type [data-step='1']"))

	must(t, tab.Click("#run"))
	must(t, tab.Await(`!!document.querySelector("#live svg .deadline") && !!document.querySelector("#live .mark.limit")`))
	must(t, tab.Await(`document.querySelectorAll("#live .bar.requesting").length >= 2`))
	must(t, tab.Await(revealed))
	// 1: late, 3 requests, 2 requests, and D's duration, which + began at the budget.
	if got := value[string](t, tab, `document.getElementById("reveal").textContent`); got != "3. What happened: 4 of 5 predictions right" {
		t.Errorf("the heading says %q", got)
	}
	for _, want := range []string{"an error, but in time", "the caller waited", "Lesson.", "env.Start.Add(env.Policy.Budget)"} {
		if text := value[string](t, tab, `document.getElementById("result").innerText`); !strings.Contains(text, want) {
			t.Errorf("the reveal lacks %q: %s", want, text)
		}
	}
	if got := value[int](t, tab, `document.querySelectorAll(".code mark").length`); got != 2 {
		t.Errorf("%d lines of code are marked, expected the two with D's deadline", got)
	}
	replayed(t, tab)

	must(t, tab.Click("#batch"))
	must(t, tab.Await(`document.querySelectorAll("#live .dots").length > 0`))
	must(t, tab.Await(revealed+` && document.querySelector("#reveal").textContent === "30 of each"`))
	if got := value[string](t, tab, `[...document.querySelectorAll("#result tbody tr")].map((r) => r.cells[1].textContent).join(" ")`); got != "30 30" {
		// A disturbed operation is shown but not counted: on a busy machine that happens.
		if text := value[string](t, tab, `document.getElementById("result").innerText`); !strings.Contains(text, "do not count") {
			t.Errorf("counted are %s operations, without a word on the others: %s", got, text)
		}
	}
	if got := value[int](t, tab, `[...document.querySelectorAll("#result .dots[data-series]")].map((p) => p.getAttribute("d").match(/M/g).length).reduce((a, b) => a + b)`); got < 60 {
		t.Errorf("the strip has %d dots, expected 60", got)
	}
}

// replayed steps through the reveal: the cursor stands where the mark stands.
func replayed(t *testing.T, tab *chromium.Tab) {
	t.Helper()
	for range 12 {
		must(t, tab.Click("[data-replay=step]"))
	}
	type place struct {
		Moment         string
		Cursor, Mark   float64
		Hidden, Future int
	}
	got := value[place](t, tab, `(() => {
		const middle = (e) => { const b = e.getBoundingClientRect(); return b.left + b.width / 2; };
		const moment = document.querySelector(".moment").textContent, ms = Number(document.querySelector(".moment").dataset.ms);
		const marks = [...document.querySelectorAll(".final .mark[data-ms]:not(.limit)")], at = (m) => Number(m.getAttribute("data-ms"));
		const mark = marks.find((m) => at(m) === ms);
		return { moment, cursor: middle(document.querySelector(".cursor path")), mark: middle(mark.querySelector("path,circle")),
			hidden: marks.filter((m) => getComputedStyle(m).visibility === "hidden").length, future: marks.filter((m) => at(m) > ms).length };
	})()`)
	if d := got.Cursor - got.Mark; d < -1 || d > 1 {
		t.Errorf("the cursor stands at %.2f px, the mark of %q at %.2f px", got.Cursor, got.Moment, got.Mark)
	}
	if got.Hidden != got.Future || got.Future == 0 {
		t.Errorf("%d marks are hidden, expected the %d after %q", got.Hidden, got.Future, got.Moment)
	}
	must(t, tab.Click(`[data-replay="1"]`))
	must(t, tab.Await(`document.querySelector(".final svg").hasAttribute("data-playing") && parseFloat(document.querySelector(".cursor text").textContent) > 100`))
	must(t, tab.Await(`!document.querySelector(".cursor")`)) // all of it is shown in the end
	if left := value[int](t, tab, `document.querySelectorAll(".final [visibility=hidden], .final [clip-path]").length`); left != 0 {
		t.Errorf("%d pieces stay hidden after the replay", left)
	}
}

// Everything can be done without a mouse, and the focus follows what happens.
func TestKeyboard(t *testing.T) {
	s := served(t, "healthy")
	tab := openTab(t, s.URL)
	must(t, tab.Go(s.URL+"scenarios/healthy"))
	must(t, tab.Press(kb.Tab)) // the first stop skips to the content
	if got := value[string](t, tab, `document.activeElement.textContent`); got != "Skip to the content" {
		t.Errorf("the first stop is %q", got)
	}
	must(t, tab.Press(kb.Enter))
	must(t, tab.Press(kb.Tab))
	if got := value[string](t, tab, `document.activeElement.name`); got != "promise-0" {
		t.Errorf("behind the skip link the first stop is %q, expected the first promise", got)
	}
	must(t, tab.Press(" "))
	if !value[bool](t, tab, `document.activeElement.checked && document.activeElement.value === "kept"`) {
		t.Error("the space bar has not chosen the promise")
	}
	must(t, tab.Press(kb.Enter)) // runs, as in any form
	must(t, tab.Await(revealed))
	if got := value[string](t, tab, `document.activeElement.id`); got != "reveal" {
		t.Errorf("the focus is on %q, expected the reveal's heading", got)
	}
	must(t, tab.Press(kb.Tab))
	must(t, tab.Press(kb.ArrowRight))
	must(t, tab.Press(kb.ArrowRight))
	must(t, tab.Press(kb.ArrowLeft))
	if got := value[string](t, tab, `document.querySelector(".moment").textContent`); !strings.Contains(got, " ms: ") {
		t.Errorf("after three arrow keys the moment is %q", got)
	}
	if got := value[int](t, tab, `[...document.querySelectorAll("button, input, a, summary, [tabindex]")].filter((e) => e.checkVisibility() && e.tabIndex >= 0 && !(e.labels?.length || e.ariaLabel || e.textContent.trim())).filter((e) => !e.matches(".picture")).length`); got != 0 {
		t.Errorf("%d elements that take the focus have no name", got)
	}
}

// Two people at once see their own runs and predictions.
func TestTwoBrowsers(t *testing.T) {
	s := served(t, "slow_headers", "semaphore_wait")
	one, two := openTab(t, s.URL), openTab(t, s.URL)
	must(t, one.Go(s.URL+"scenarios/slow_headers"))
	must(t, two.Go(s.URL+"scenarios/semaphore_wait"))
	predict(t, one, "attempt_timeout", "late", 0)
	predict(t, two, "deadline_after_admission", "kept", 0)
	must(t, one.Click("#run"))
	must(t, two.Click("#run"))
	must(t, one.Await(`!!document.querySelector("#live svg")`))
	must(t, two.Await(`!!document.querySelector("#live svg")`))
	must(t, one.Await(revealed))
	must(t, two.Await(revealed))
	for tab, want := range map[*chromium.Tab]string{one: "1 of 1 predictions right", two: "0 of 1 predictions right"} {
		if got := value[string](t, tab, `document.getElementById("reveal").textContent`); !strings.Contains(got, want) {
			t.Errorf("the heading says %q, expected %q", got, want)
		}
	}
	if got := value[string](t, one, `document.querySelector(".final svg .title .strong").textContent`); got != "B attempt_timeout" {
		t.Errorf("the first browser sees the run of %s", got)
	}
}

// A run can be stopped; so can the server, which ends what runs and says so.
func TestStopping(t *testing.T) {
	s, err := built.Serve(t.TempDir(), "hang")
	must(t, err)
	tab := openTab(t, s.URL)
	must(t, tab.Go(s.URL+"scenarios/hang"))
	must(t, tab.Click("#run"))
	must(t, tab.Await(`document.querySelectorAll("#live .bar").length > 2`))
	must(t, tab.Click("#stop"))
	must(t, tab.Await(`document.getElementById("status").textContent === "Stopped." && !document.getElementById("run").disabled`))
	must(t, tab.Click("#run"))
	must(t, tab.Await(`document.querySelectorAll("#live .bar").length > 2`))
	code, stderr, err := s.Stop()
	if err != nil || code != 0 {
		t.Errorf("bench serve ended with exit code %d while a run was under way: %v: %s", code, err, stderr)
	}
	must(t, tab.Await(`!document.getElementById("problem").hidden`))
	if got := value[string](t, tab, `document.getElementById("problem").textContent`); !strings.Contains(got, "ended before it was over") {
		t.Errorf("the page says %q", got)
	}
}

// Dark and light: text stands out from its background in both.
func TestDarkAndLight(t *testing.T) {
	s := served(t, "healthy")
	tab := openTab(t, s.URL)
	var paper []string
	for _, dark := range []bool{false, true} {
		must(t, tab.Dark(dark))
		must(t, tab.Go(s.URL+"scenarios/healthy"))
		paper = append(paper, value[string](t, tab, background))
		if got := value[float64](t, tab, contrast); got < 7 {
			t.Errorf("dark %t: the contrast of the text is %.1f, expected at least 7", dark, got)
		}
	}
	if paper[0] == paper[1] {
		t.Errorf("dark and light have the same background %s", paper[0])
	}
}

// background is what lies behind the page's text.
const background = `[document.body, document.documentElement].map((e) => getComputedStyle(e).backgroundColor).find((c) => !c.endsWith(", 0)"))`

// contrast is that of WCAG 2 between the page's text and its background.
const contrast = `(() => {
	const light = (c) => { const [r, g, b] = c.match(/[\d.]+/g).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const a = light(getComputedStyle(document.body).color), b = light(` + background + `);
	return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
})()`

// Without scripts the page says what it needs, and where reports are.
func TestServedWithoutScripts(t *testing.T) {
	s := served(t, "healthy")
	tab := openTab(t, s.URL)
	must(t, tab.BlockScripts())
	must(t, tab.Go(s.URL+"scenarios/healthy"))
	if text := value[string](t, tab, `document.body.innerText`); !strings.Contains(text, "which needs scripts") {
		t.Errorf("the page does not say that it needs scripts: %s", text)
	}
}
