package serve

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// refusal is what went wrong, and the next step.
type refusal struct {
	Problem string `json:"problem"`
	Hint    string `json:"hint"`
}

// refuse answers a browser that opens a page with one, and the page's own
// scripts with JSON. Nothing of the request is repeated in it.
func refuse(w http.ResponseWriter, r *http.Request, status int, problem, hint string) {
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		if text, err := render("refused", refusal{problem, hint}); err == nil {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, text)
			return
		}
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	// A client that has left does not need the answer.
	_ = json.NewEncoder(w).Encode(refusal{problem, hint})
}

func (p *page) nowhere(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, r, http.StatusMethodNotAllowed, "the page does not take this request", "GET / is the start")
		return
	}
	p.missing(w, r, "There is nothing at this address.")
}
