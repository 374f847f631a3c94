package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

func init() { Register("html", writeHTML) }

//go:embed assets/*.html
var pageFiles embed.FS

//go:embed assets/page.css
var pageCSS string

//go:embed assets/timeline.js
var timelineJS string

//go:embed assets/page.js
var pageJS string

var pageTemplates = template.Must(template.New("").Funcs(template.FuncMap{
	"plain":     textui.Plain,
	"noun":      noun,
	"ms":        func(ms float64) string { return fmt.Sprintf("%.2f", ms) },
	"breakable": breakable,
}).ParseFS(pageFiles, "assets/*.html"))

// writeHTML is the report as one page that needs nothing else: no network, no
// script for what it shows at first, and a policy that allows only its own.
func writeHTML(b *bytes.Buffer, in view.Input) error {
	p, err := newPage(in)
	if err != nil {
		return err
	}
	return pageTemplates.ExecuteTemplate(b, "page", p)
}

// frameOf is what every page has: style, script, and the policy that names both
// by their digests.
func frameOf(style, script string) pageFrame {
	policy := []string{"default-src 'none'", "style-src " + digest(style), "script-src " + digest(script), "img-src data:", "base-uri 'none'", "form-action 'none'"}
	return pageFrame{Policy: strings.Join(policy, "; "), Style: template.CSS(style), Script: template.JS(script)}
}

type pageFrame struct {
	Policy string
	Style  template.CSS
	Script template.JS
}

// digest is a source of a content security policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// embedded is data for the page's script. Marshal escapes <, > and &, so that
// nothing in it can end its element.
func embedded(data any) (template.JS, error) {
	text, err := json.Marshal(data)
	return template.JS(text), err
}

// breakable lets a long name break after its underscores.
func breakable(name string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(textui.Plain(name)), "_", "_<wbr>"))
}

func noun(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
