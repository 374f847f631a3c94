// Package browser tests the pages in a real browser: the report as a file and
// the workshop as it is served.
package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/test/browser/bench"
	"github.com/deadlinelab/deadlinelab/test/browser/chromium"
)

var (
	built   bench.Bench
	browser *chromium.Browser
)

func TestMain(m *testing.M) {
	code, err := prepared(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		code = 1
	}
	os.Exit(code)
}

// prepared builds the bench and starts one browser for all tests; each opens
// tabs that know nothing of each other.
func prepared(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "deadlinelab-browser-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if built, err = bench.Build("../..", dir); err != nil {
		return 0, err
	}
	if browser, err = chromium.Start(filepath.Join(dir, "profile")); err != nil {
		return 0, err
	}
	defer browser.Close()
	return m.Run(), nil
}

// openTab opens a tab that must have neither errors on its console nor requests
// to any place but those that begin with home, up to the end of the test.
func openTab(t *testing.T, home string) *chromium.Tab {
	t.Helper()
	tab, err := browser.Open()
	must(t, err)
	t.Cleanup(func() {
		for _, problem := range tab.Problems() {
			t.Errorf("the browser reports: %s", problem)
		}
		for _, url := range tab.Requests() {
			if !strings.HasPrefix(url, home) {
				t.Errorf("a request has left the page: %s", url)
			}
		}
		tab.Close()
	})
	return tab
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// value is what an expression yields in the page.
func value[T any](t *testing.T, tab *chromium.Tab, expression string) T {
	t.Helper()
	v, err := chromium.Value[T](tab, expression)
	must(t, err)
	return v
}
