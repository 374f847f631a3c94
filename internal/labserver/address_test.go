package labserver

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/control"
)

// An address of all interfaces is answered as the host by which the caller came,
// wherever the server says one; any other as it is.
func TestAddressesNameTheHostThatWasReached(t *testing.T) {
	l, _ := onLoopback(t, "{type: healthy}")
	l.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	at, err := url.Parse(l.base)
	if err != nil {
		t.Fatal(err)
	}
	named := control.NewClient("http://localhost:"+at.Port(), testToken, l.http)
	for _, c := range []struct{ dataAddr, host string }{
		{"0.0.0.0:0", "localhost"}, {"[::]:0", "localhost"}, {":0", "localhost"}, {"127.0.0.1:0", "127.0.0.1"},
	} {
		for _, fault := range []string{"{type: healthy}", "{type: accept_silence}", "{type: refused}", "{type: redirects, hops: 1, delay_ms: 0, to: refused}"} {
			x, err := named.Create(t.Context(), control.ExperimentRequest{Name: "y", Scenario: upstream(fault), DataAddr: c.dataAddr})
			if err != nil {
				t.Fatal(c.dataAddr, fault, err)
			}
			ops := must(named.Register(t.Context(), "y", []control.OperationRequest{op("op-1")}))(l)
			addresses := []string{x.DataURL, ops[0].BaseURL}
			if strings.Contains(fault, "redirects") {
				resp := must(l.http.Get(ops[0].BaseURL))(l)
				resp.Body.Close()
				addresses = append(addresses, resp.Header.Get("Location"))
			}
			for _, address := range addresses {
				if u, err := url.Parse(address); err != nil || u.Hostname() != c.host || u.Port() == "" || u.Port() == "0" {
					t.Errorf("%s, %s: found the address %s, want one at %s", c.dataAddr, fault, address, c.host)
				}
			}
			must(named.Delete(t.Context(), "y"))(l)
		}
	}
}

func TestReachedBy(t *testing.T) {
	for host, want := range map[string]string{
		"192.0.2.7:18700": "192.0.2.7", "lab.example": "lab.example", "[2001:db8::7]:18700": "2001:db8::7", "[2001:db8::7]": "2001:db8::7",
		"": "", "a b": "", "lab:port": "",
	} {
		if got := reachedBy(&http.Request{Host: host}); got != want {
			t.Errorf("%q: %q, want %q", host, got, want)
		}
	}
}

func TestURLAt(t *testing.T) {
	for _, c := range []struct{ host, addr, want string }{
		{"lab.example", "0.0.0.0:80", "http://lab.example:80"},
		{"2001:db8::7", "[::]:80", "http://[2001:db8::7]:80"},
		{"fe80::1%eth0", "[::]:80", "http://[fe80::1%25eth0]:80"},
		{"lab.example", "192.0.2.7:80", "http://192.0.2.7:80"},
		{"lab.example", "[::1]:80", "http://[::1]:80"},
		{"", "[::]:80", "http://[::]:80"},
	} {
		if got := (&experiment{host: c.host}).urlAt(c.addr); got != c.want {
			t.Errorf("%s reached by %q: %s, want %s", c.addr, c.host, got, c.want)
		}
	}
}
