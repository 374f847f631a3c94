package browser

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The report of any run opens from the workshop's page, with its script.
func TestServedReport(t *testing.T) {
	r, err := report()
	must(t, err)
	s := served(t, "--results", filepath.Dir(r.Dir), "healthy")
	tab := openTab(t, s.URL)
	must(t, tab.Go(s.URL+"results/"))
	must(t, tab.Click(".runs tbody a"))
	must(t, tab.Await(`!!document.querySelector(".matrix") && document.documentElement.classList.contains("scripted")`))
	op := r.operations(t)[0].Op
	must(t, tab.Go(s.URL+"results/"+filepath.Base(r.Dir)+"#op="+op))
	must(t, tab.Await(`document.getElementById("operation")?.open`))
	if text := value[string](t, tab, `document.getElementById("operation-facts").textContent`); !strings.HasPrefix(text, op+": ") {
		t.Errorf("%s opens %q", op, text)
	}
}

const evil = `<script>window.evil = 1</script><img src=x onerror="window.evil = 2">`

// A scenario whose texts are markup is shown as text: in the workshop, live, in
// the reveal and in the report.
func TestEvilScenario(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "evil.yaml")
	text, err := os.ReadFile(filepath.Join(built.Root, "scenarios", "healthy.yaml"))
	must(t, err)
	changed := strings.Replace(string(text), "name: healthy", "name: evil", 1)
	for _, key := range []string{"question", "lesson"} {
		changed = regexp.MustCompile(`(?m)^`+key+`: .*\n(  .*\n)*`).ReplaceAllLiteralString(changed, key+": '"+evil+"'\n")
	}
	must(t, os.WriteFile(file, []byte(changed), 0o666))
	s := served(t, file)
	tab := openTab(t, s.URL)
	for _, path := range []string{"", "scenarios/evil"} {
		must(t, tab.Go(s.URL+path))
		if body := value[string](t, tab, `document.body.innerText`); !strings.Contains(body, evil) {
			t.Errorf("%q does not show the question as text: %s", path, body)
		}
	}
	must(t, tab.Click("#run"))
	must(t, tab.Await(revealed))
	if body := value[string](t, tab, `document.getElementById("result").innerText`); !strings.Contains(body, evil) {
		t.Errorf("the reveal does not show the lesson as text: %s", body)
	}
	if value[bool](t, tab, `"evil" in window || !!document.querySelector("img")`) {
		t.Error("markup of a scenario file became part of the page")
	}
	evilReport(t, dir, file)
}

func evilReport(t *testing.T, dir, file string) {
	t.Helper()
	html := filepath.Join(dir, "report.html")
	code, output, err := built.Run(dir, "run", file, "--repeats", "1", "--operations", "1", "--out", "run", "--format", "html="+html)
	if err != nil || (code != 0 && code != 12) {
		t.Fatalf("bench run: exit code %d: %v: %s", code, err, output)
	}
	tab := openTab(t, "file://"+html)
	must(t, tab.Go("file://"+html))
	if body := value[string](t, tab, `document.body.innerText`); !strings.Contains(body, evil) {
		t.Errorf("the report does not show the question as text: %s", body)
	}
	if value[bool](t, tab, `"evil" in window || !!document.querySelector("img")`) {
		t.Error("markup of a scenario file became part of the report")
	}
}
