package serve

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Access says who may use the page.
type Access struct {
	Names    []string // host names under which it is reached, besides localhost
	Loopback bool     // it is reached from this machine only
	Token    string   // empty = none is asked for; else in ?token= once, then in a cookie
}

const (
	tokenName = "token"
	// policy lets the page load its own files and nothing else: no inline
	// script or style, no other host, no frame around it.
	policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// guard refuses other hosts' names (a page elsewhere that makes its own name
// resolve to this machine), other origins' requests that change something, and
// whoever lacks the token.
func (a Access) guard(next http.Handler) http.Handler {
	sameOrigin := http.NewCrossOriginProtection()
	sameOrigin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refuse(w, r, http.StatusForbidden, "this request comes from another page", "open the page at the address that bench serve printed")
	}))
	inner := sameOrigin.Handler(a.withToken(next))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		if !a.hostAllowed(r.Host) {
			refuse(w, r, http.StatusForbidden, "this page is not served under the name in the request's Host header", "open the address that bench serve printed")
			return
		}
		inner.ServeHTTP(w, r)
	})
}

func secure(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// hostAllowed: only a name can be made to resolve to somebody else's machine,
// so an address is safe; on loopback it must be a loopback address all the same.
func (a Access) hostAllowed(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if addr, err := netip.ParseAddr(host); err == nil {
		return !a.Loopback || addr.IsLoopback()
	}
	host = strings.ToLower(host)
	return host == "localhost" || slices.Contains(a.Names, host)
}

// withToken asks for the token, and moves it from the address into a cookie so
// that it does not stay in the history.
func (a Access) withToken(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.Token == "" {
			next.ServeHTTP(w, r)
			return
		}
		if given := r.URL.Query().Get(tokenName); r.Method == http.MethodGet && a.is(given) {
			http.SetCookie(w, &http.Cookie{Name: tokenName, Value: given, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
			http.Redirect(w, r, "/"+strings.TrimLeft(r.URL.EscapedPath(), "/"), http.StatusSeeOther) // "//" begins another host
			return
		}
		if c, err := r.Cookie(tokenName); err != nil || !a.is(c.Value) {
			refuse(w, r, http.StatusUnauthorized, "the token is missing or wrong", "open the whole address that bench serve printed, with ?token=")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (a Access) is(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(a.Token)) == 1
}
