package browser

import (
	"testing"

	"github.com/deadlinelab/deadlinelab/test/browser/chromium"
)

// stickingOut names the elements that are wider than the window and in no frame
// that scrolls.
const stickingOut = `(() => {
	const right = document.documentElement.clientWidth;
	const framed = e => { for (let p = e.parentElement; p; p = p.parentElement) if (getComputedStyle(p).overflowX !== "visible") return true; return false; };
	if (document.documentElement.scrollWidth <= right) return [];
	return [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > right && !framed(e))
		.map(e => e.tagName + " " + e.getAttribute("class") + " " + e.getBoundingClientRect().right + ": " + e.textContent.slice(0, 60));
})()`

func checkWidth(t *testing.T, tab *chromium.Tab, when string) {
	t.Helper()
	if wide := value[[]string](t, tab, stickingOut); len(wide) > 0 {
		t.Errorf("%s the window is too narrow for %q", when, wide)
	}
}

// On a telephone nothing makes the report wider than the window, not even the
// text of an error that is one long word; tables and drawings scroll in their
// own frames.
func TestReportOnATelephone(t *testing.T) {
	_, tab := openReport(t, "")
	must(t, tab.Size(400, 800))
	must(t, tab.Await(`innerWidth === 400`))
	checkWidth(t, tab, "as it is")
	if n := value[int](t, tab, `(() => {
		const all = document.querySelectorAll(".happened li > span:last-child");
		for (const s of all) s.textContent = "x".repeat(200);
		return all.length;
	})()`); n == 0 {
		t.Error("no sentence about a client")
	}
	checkWidth(t, tab, "with a long word")
}
