package serve_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/serve"
)

// A page elsewhere can make its own name resolve to this machine: only names
// that are ours are answered.
func TestHosts(t *testing.T) {
	local, open := serve.Access{Loopback: true}, serve.Access{Token: "t", Names: []string{"lab.example"}}
	for _, c := range []struct {
		access serve.Access
		host   string
		want   int
	}{
		{local, "127.0.0.1:80", http.StatusOK},
		{local, "localhost:80", http.StatusOK},
		{local, "LOCALHOST", http.StatusOK},
		{local, "[::1]:80", http.StatusOK},
		{local, "evil.example:80", http.StatusForbidden},
		{local, "127.0.0.1.evil.example", http.StatusForbidden},
		{local, "192.0.2.7:80", http.StatusForbidden},
		{local, "localhost.evil.example", http.StatusForbidden},
		{open, "192.0.2.7:80", http.StatusOK},
		{open, "lab.example", http.StatusOK},
		{open, "evil.example", http.StatusForbidden},
	} {
		cfg := config(slow(t))
		cfg.Access = c.access
		p := servePage(t, cfg)
		resp, _ := p.ask(t, "GET", "/", "", "Host", c.host, "Cookie", "token=t")
		if resp.StatusCode != c.want {
			t.Errorf("host %s: status %d, expected %d", c.host, resp.StatusCode, c.want)
		}
		p.end()
	}
}

// What starts a run must come from the page itself.
func TestOrigins(t *testing.T) {
	p := servePage(t, config(slow(t)))
	defer p.end()
	for _, c := range []struct {
		header, value string
		want          int
	}{
		{"Sec-Fetch-Site", "same-origin", http.StatusOK},
		{"Sec-Fetch-Site", "same-site", http.StatusForbidden},
		{"Sec-Fetch-Site", "cross-site", http.StatusForbidden},
		{"Origin", "http://" + host, http.StatusOK},
		{"Origin", "http://evil.example", http.StatusForbidden},
		{"Origin", "null", http.StatusForbidden},
	} {
		resp, text := p.ask(t, "POST", "/scenarios/slow_headers/one", "{}", c.header, c.value)
		if resp.StatusCode != c.want {
			t.Errorf("%s: %s: status %d, expected %d: %s", c.header, c.value, resp.StatusCode, c.want, text)
		}
	}
}

func TestToken(t *testing.T) {
	cfg := config(slow(t))
	cfg.Access = serve.Access{Token: "secret"}
	p := servePage(t, cfg)
	defer p.end()
	for _, c := range []struct {
		path, cookie string
		want         int
	}{
		{"/", "", http.StatusUnauthorized},
		{"/", "token=wrong", http.StatusUnauthorized},
		{"/?token=wrong", "", http.StatusUnauthorized},
		{"/assets/workshop.js", "", http.StatusUnauthorized},
		{"/?token=secret", "", http.StatusSeeOther},
		{"/", "token=secret", http.StatusOK},
	} {
		resp, _ := p.ask(t, "GET", c.path, "", "Cookie", c.cookie)
		if resp.StatusCode != c.want {
			t.Errorf("%s with cookie %q: status %d, expected %d", c.path, c.cookie, resp.StatusCode, c.want)
		}
		if c.want == http.StatusSeeOther {
			cookie, place := resp.Header.Get("Set-Cookie"), resp.Header.Get("Location")
			if place != "/" || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") {
				t.Errorf("redirect to %q with cookie %q: expected / and a strict cookie that scripts cannot read", place, cookie)
			}
		}
	}
}

// The address without its token leads to this page, never to another host.
func TestTokenStaysHere(t *testing.T) {
	cfg := config(slow(t))
	cfg.Access = serve.Access{Token: "secret"}
	p := servePage(t, cfg)
	defer p.end()
	for path, want := range map[string]string{"//evil.example/?token=secret": "/evil.example/", "///evil.example?token=secret": "/evil.example", "/results/?token=secret": "/results/"} {
		resp, _ := p.ask(t, "GET", path, "")
		if place := resp.Header.Get("Location"); resp.StatusCode != http.StatusSeeOther || place != want {
			t.Errorf("%s: status %d, redirect to %q, expected %q", path, resp.StatusCode, place, want)
		}
	}
}

// A person sees a page that says what to do, a script JSON.
func TestRefusalForWhomItIs(t *testing.T) {
	cfg := config(slow(t))
	cfg.Access = serve.Access{Token: "secret"}
	p := servePage(t, cfg)
	defer p.end()
	for accept, want := range map[string]string{
		"text/html,application/xhtml+xml,*/*;q=0.8": "<p>What to do: open the whole address that bench serve printed, with ?token=.</p>",
		"*/*": `{"problem":"the token is missing or wrong","hint":"open the whole address that bench serve printed, with ?token="}`,
	} {
		resp, text := p.ask(t, "GET", "/", "", "Accept", accept)
		if resp.StatusCode != http.StatusUnauthorized || !strings.Contains(text, want) {
			t.Errorf("%s: status %d, %s", accept, resp.StatusCode, text)
		}
	}
}

// Every answer, also an error, forbids what the page does not need.
func TestHeaders(t *testing.T) {
	p := servePage(t, config(slow(t)))
	defer p.end()
	for _, path := range []string{"/", "/scenarios/slow_headers", "/results/", "/results/none", "/assets/workshop.js", "/nowhere"} {
		resp, _ := p.ask(t, "GET", path, "")
		policy := resp.Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", path, policy)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin"} {
			if got := resp.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q, expected %q", path, name, got, want)
			}
		}
	}
}
