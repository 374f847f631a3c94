package serve

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"mime"
	"net/http"
	"path"

	"github.com/deadlinelab/deadlinelab/internal/report"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/svg"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"github.com/deadlinelab/deadlinelab/internal/variants"
	"github.com/deadlinelab/deadlinelab/internal/wording"
)

//go:embed assets
var assets embed.FS

// ErrNoRun is a report of a run that is not there.
var ErrNoRun = errors.New("no such run")

var templates = template.Must(template.New("").Funcs(template.FuncMap{"ms": msWords}).ParseFS(assets, "assets/*.html"))

func render(name string, view any) (string, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, view); err != nil {
		return "", fmt.Errorf("page %s: %w", name, err)
	}
	return b.String(), nil
}

// show answers with a whole page, or with nothing of it.
func (p *page) show(w http.ResponseWriter, r *http.Request, status int, name string, view any) {
	text, err := render(name, view)
	if err != nil {
		refuse(w, r, http.StatusInternalServerError, err.Error(), "this is a defect of bench")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprint(w, text)
}

func (p *page) missing(w http.ResponseWriter, r *http.Request, why string) {
	p.show(w, r, http.StatusNotFound, "missing", why)
}

// asset serves a file of the page by its exact name.
func (p *page) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	kind := mime.TypeByExtension(path.Ext(name))
	data, err := assets.ReadFile("assets/" + path.Base(name))
	switch {
	case name == "drawing.css":
		data, kind = []byte(svg.DrawingStyle()), "text/css; charset=utf-8"
	case err != nil || path.Ext(name) == ".html":
		p.missing(w, r, "There is no such file.")
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(data) // a browser that has left does not need it
}

func (p *page) index(w http.ResponseWriter, r *http.Request) {
	runs, err := p.cfg.Reports.List()
	if err != nil {
		refuse(w, r, http.StatusInternalServerError, err.Error(), "is the results directory readable?")
		return
	}
	p.show(w, r, http.StatusOK, "index", struct {
		Scenarios []*scenario.Scenario
		Runs      []Listed
	}{p.cfg.Scenarios, runs[:min(len(runs), 5)]})
}

func (p *page) results(w http.ResponseWriter, r *http.Request) {
	runs, err := p.cfg.Reports.List()
	if err != nil {
		refuse(w, r, http.StatusInternalServerError, err.Error(), "is the results directory readable?")
		return
	}
	p.show(w, r, http.StatusOK, "results", runs)
}

// choice is a contrast variant in the prediction form.
type choice struct {
	variants.Variant
	Promises []promiseChoice
}

type promiseChoice struct {
	Value timeline.Promise
	Words string
}

func (p *page) scenario(w http.ResponseWriter, r *http.Request) {
	s := p.find(r.PathValue("name"))
	if s == nil {
		p.missing(w, r, "No scenario of this name is served.")
		return
	}
	view := struct {
		*scenario.Scenario
		Client, Upstream string
		Choices          []choice
		LongestMs        float64 // of the duration that can be predicted
		StepMs           float64
		Next             *scenario.Scenario
	}{Scenario: s, LongestMs: 3 * s.Operation.BudgetMs, StepMs: s.Operation.BudgetMs / 20, Next: p.after(s)}
	view.Client, view.Upstream = wording.Settings(s)
	for _, name := range s.Contrast {
		v, _ := variants.Find(name)
		view.Choices = append(view.Choices, choice{v, promiseChoices()})
	}
	p.show(w, r, http.StatusOK, "scenario", view)
}

func promiseChoices() []promiseChoice {
	var list []promiseChoice
	for _, promise := range timeline.Promises {
		list = append(list, promiseChoice{promise, promiseWords[promise]})
	}
	return list
}

// after is the scenario that follows, nil behind the last one.
func (p *page) after(s *scenario.Scenario) *scenario.Scenario {
	for i, other := range p.cfg.Scenarios {
		if other == s && i+1 < len(p.cfg.Scenarios) {
			return p.cfg.Scenarios[i+1]
		}
	}
	return nil
}

// report is the report of a finished run.
func (p *page) report(w http.ResponseWriter, r *http.Request) {
	html, err := p.cfg.Reports.HTML(r.Context(), r.PathValue("run"))
	switch {
	case errors.Is(err, ErrNoRun):
		p.missing(w, r, "There is no run of this name.")
		return
	case err != nil:
		refuse(w, r, http.StatusInternalServerError, err.Error(), "`bench report` on that directory says more")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", report.PagePolicy()+"; frame-ancestors 'none'") // it brings its own style and script
	_, _ = w.Write(html)                                                                      // a browser that has left does not need it
}
