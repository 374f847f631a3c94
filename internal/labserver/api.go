package labserver

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"net"
	"net/http"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/control"
)

// routes is the control API.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /v1/health", route(s.health))
	mux.Handle("GET /v1/clock", route(s.readClock))
	mux.Handle("POST /v1/experiments", route(s.createExperiment))
	mux.Handle("GET /v1/experiments/{x}", route(s.getExperiment))
	mux.Handle("DELETE /v1/experiments/{x}", route(s.deleteExperiment))
	mux.Handle("PUT /v1/experiments/{x}/operations", route(s.registerMany))
	mux.Handle("PUT /v1/experiments/{x}/operations/{op}", route(s.registerOne))
	mux.Handle("POST /v1/experiments/{x}/gates/{gate}/release", route(s.releaseGate))
	mux.Handle("GET /v1/experiments/{x}/gates/{gate}", route(s.awaitGate))
	mux.Handle("GET /v1/experiments/{x}/events", route(s.queryEvents))
	mux.Handle("GET /v1/experiments/{x}/events/stream", route(s.streamEvents))
	mux.Handle("POST /v1/experiments/{x}/events/stream", route(s.takeEvents))
	mux.Handle("GET /v1/experiments/{x}/events/wait", route(s.awaitEvent))
	mux.Handle("/", unanswered(mux))
	return s.guard(mux)
}

// route is a handler whose error becomes the answer.
type route func(w http.ResponseWriter, r *http.Request) error

func (e route) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := e(w, r); err != nil {
		answerError(w, err)
	}
}

func answerError(w http.ResponseWriter, err error) {
	r := asRefusal(err)
	answer(w, r.status, control.ErrorBody{Error: cut(r.message, mostMessage), Hint: r.hint})
}

// mostMessage bounds what an answer repeats of its request, in bytes.
const mostMessage = 32 << 10

// answer writes v as JSON. A write that fails means that nobody listens.
func answer(w http.ResponseWriter, status int, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(append(text, '\n'))
	return nil
}

// unanswered says which methods the path takes, or that there is no such path.
func unanswered(mux *http.ServeMux) route {
	return func(w http.ResponseWriter, r *http.Request) error {
		allow := strings.Join(methodsAt(mux, r), ", ")
		if allow == "" {
			return refuse(http.StatusNotFound, "the paths begin with /v1/health, /v1/clock or /v1/experiments", "nothing answers %s %s", r.Method, shorten(r.URL.Path))
		}
		w.Header().Set("Allow", allow)
		return refuse(http.StatusMethodNotAllowed, "", "%s %s: expected %s", r.Method, shorten(r.URL.Path), allow)
	}
}

// methodsAt are those that the path of r is answered for.
func methodsAt(mux *http.ServeMux, r *http.Request) (methods []string) {
	other := *r
	for _, m := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete} {
		other.Method = m
		if _, pattern := mux.Handler(&other); pattern != "/" {
			methods = append(methods, m)
		}
	}
	return methods
}

// guard lets in who has the token and is not a web page in somebody's browser.
func (s *Server) guard(next http.Handler) http.Handler {
	return route(func(w http.ResponseWriter, r *http.Request) error {
		if err := s.check(w, r); err != nil {
			sendAway(w, r)
			return err
		}
		s.callers.letIn(w, r)
		next.ServeHTTP(w, r)
		return nil
	})
}

func (s *Server) check(w http.ResponseWriter, r *http.Request) error {
	if len(r.Header.Values("Origin")) > 0 {
		return refuse(http.StatusForbidden, "the control API is not for browsers", "requests with an Origin header are refused")
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return refuse(http.StatusForbidden, "the control API is not for web pages", "requests of another page are refused (Sec-Fetch-Site: %s)", site)
	}
	return s.authorise(w, r)
}

// authorise checks the token in constant time. Without a token, only a
// loopback Host is let in: a page that rebinds its name to 127.0.0.1 is not.
func (s *Server) authorise(w http.ResponseWriter, r *http.Request) error {
	if s.cfg.Token == "" {
		return checkHost(r.Host)
	}
	given := sha256.Sum256([]byte(r.Header.Get("Authorization")))
	want := sha256.Sum256([]byte("Bearer " + s.cfg.Token))
	if subtle.ConstantTimeCompare(given[:], want[:]) == 1 {
		return nil
	}
	w.Header().Set("WWW-Authenticate", "Bearer")
	return refuse(http.StatusUnauthorized, "send Authorization: Bearer <the token in "+tokenEnv+" of labserver>", "the bearer token is missing or wrong")
}

func checkHost(hostport string) error {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	if isLoopback(host) {
		return nil
	}
	return refuse(http.StatusForbidden, "use the address that labserver printed, or set a token", "Host %q is not a loopback address", shorten(hostport))
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, http.StatusOK, control.Health{Status: "ok", API: control.APIVersion, Version: s.cfg.Version, Experiments: len(s.live())})
}
