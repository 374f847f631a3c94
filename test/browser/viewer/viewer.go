// Package viewer is the viewer of chrome://tracing as a page. Chromium as
// Debian builds it has none; the Go toolchain brings one for `go tool trace`.
package viewer

import (
	_ "embed"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed page.html
var page []byte

// Handler serves a page that shows a trace: shown, in its window, is then what
// the viewer has made of it, or failure why nothing.
func Handler(trace string) (http.Handler, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	static := filepath.Join(strings.TrimSpace(string(root)), "src/internal/trace/traceviewer/static")
	mux := http.NewServeMux()
	for _, name := range []string{"trace_viewer_full.html", "webcomponents.min.js"} {
		file := filepath.Join(static, name)
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("the viewer that the Go toolchain has for `go tool trace`: %w", err)
		}
		mux.HandleFunc("/"+name, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, file) })
	}
	mux.HandleFunc("/trace.json", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, trace) })
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(page) })
	return mux, nil
}
