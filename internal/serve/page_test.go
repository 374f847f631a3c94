package serve_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/report"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/serve"
)

func TestPages(t *testing.T) {
	p := servePage(t, config(scenario.Core()...))
	defer p.end()
	for path, want := range map[string]string{
		"/":                         "Does the time in that queue count",
		"/scenarios/semaphore_wait": "deadline_after_admission",
		"/results/":                 "There is no run yet",
		"/assets/workshop.css":      "var(--ink)",
		"/assets/drawing.css":       "--deadline:",
		"/assets/workshop.js":       "import",
		"/assets/icon.svg":          "<svg",
	} {
		resp, text := p.ask(t, "GET", path, "")
		if resp.StatusCode != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: status %d without %q: %.200s", path, resp.StatusCode, want, text)
		}
	}
}

func TestMissing(t *testing.T) {
	p := servePage(t, config(slow(t)))
	defer p.end()
	for _, path := range []string{"/scenarios/none", "/scenarios/healthy", "/results/none", "/results/..%2f..%2fgo.mod", "/assets/scenario.html",
		"/assets/..%2fserve.go", "/assets/none.js", "/assets/", "/favicon.ico"} {
		if resp, text := p.ask(t, "GET", path, ""); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d, expected 404: %.200s", path, resp.StatusCode, text)
		}
	}
	for _, path := range []string{"/", "/scenarios/slow_headers", "/results/"} {
		if resp, _ := p.ask(t, "PUT", path, ""); resp.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("PUT %s: status %d, expected 405", path, resp.StatusCode)
		}
	}
}

const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`

// What a scenario file or the name of a directory holds is text, never markup.
func TestEscaped(t *testing.T) {
	s := *slow(t)
	s.Question, s.Lesson = evil, evil
	cfg := config(&s)
	cfg.Reports = evilRuns{}
	p := servePage(t, cfg)
	defer p.end()
	for _, path := range []string{"/", "/scenarios/slow_headers", "/results/", "/scenarios/" + url.PathEscape(evil), "/results/" + url.PathEscape(evil)} {
		_, text := p.ask(t, "GET", path, "")
		for _, markup := range []string{"<script>alert", "<img"} {
			if strings.Contains(text, markup) {
				t.Errorf("%s holds %s", path, markup)
			}
		}
	}
	if _, text := p.ask(t, "GET", "/", ""); !strings.Contains(text, "&lt;script&gt;alert(1)") {
		t.Errorf("the question is not shown: %s", text)
	}
}

type evilRuns struct{ noRuns }

func (evilRuns) List() ([]serve.Listed, error) {
	return []serve.Listed{{Name: evil, Status: evil, Verdict: evil}}, nil
}

// The report of a run is handed on as it is, with the policy that its own style
// and script need and nothing besides.
func TestReport(t *testing.T) {
	cfg := config(slow(t))
	cfg.Reports = oneRun{}
	p := servePage(t, cfg)
	defer p.end()
	resp, text := p.ask(t, "GET", "/results/20260101T000000Z-core", "")
	if resp.StatusCode != http.StatusOK || text != "<p>report</p>" {
		t.Errorf("status %d: %q", resp.StatusCode, text)
	}
	if got, want := resp.Header.Get("Content-Security-Policy"), report.PagePolicy()+"; frame-ancestors 'none'"; got != want {
		t.Errorf("policy %q, expected %q", got, want)
	}
}

type oneRun struct{ noRuns }

func (oneRun) HTML(_ context.Context, name string) ([]byte, error) {
	if name != "20260101T000000Z-core" {
		return nil, serve.ErrNoRun
	}
	return []byte("<p>report</p>"), nil
}
