package serve

import (
	"encoding/json"
	"net/http"
)

// refusal is what went wrong, and the next step.
type refusal struct {
	Problem string `json:"problem"`
	Hint    string `json:"hint"`
}

// refuse answers in JSON, which the page's own scripts show and a person can
// read; nothing of the request is repeated in it.
func refuse(w http.ResponseWriter, status int, problem, hint string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	// A client that has left does not need the answer.
	_ = json.NewEncoder(w).Encode(refusal{problem, hint})
}

func (p *page) nowhere(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		refuse(w, http.StatusMethodNotAllowed, "the page does not take this request", "GET / is the start")
		return
	}
	p.missing(w, "There is nothing at this address.")
}
