package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/exit"
)

// answering is a server that answers every request alike, as a labserver of
// another version or something else altogether would.
func answering(t *testing.T, status int, answer any) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		if err := json.NewEncoder(w).Encode(answer); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestReach(t *testing.T) {
	newer := control.Health{Status: "ok", API: control.APIVersion + 1, Version: "v9.1.0"}
	for _, c := range []struct{ url, refused, hint string }{
		{answering(t, 200, newer), fmt.Sprintf("labserver v9.1.0 speaks API %d", newer.API), "binaries of one version"},
		{answering(t, 200, map[string]string{"hello": "world"}), "no control API of a labserver", "in its first line"},
		{answering(t, 200, []int{1}), "is not the expected JSON", "is a labserver listening there"},
		{answering(t, 404, "nothing here"), "unexpected answer", "is a labserver listening there"},
		{"http://127.0.0.1:1", "connection refused", "is a labserver listening there"},
		{"127.0.0.1:18700", "expected http://HOST:PORT", "first line"},
		{"https://127.0.0.1:18700", "expected http://HOST:PORT", ""},
		{"http://127.0.0.1", "expected http://HOST:PORT", ""},
		{"http://127.0.0.1:18700/v1", "expected http://HOST:PORT", ""},
		{"http://:18700", "expected http://HOST:PORT", ""},
	} {
		_, err := Connect(t.Context(), UpstreamOptions{url: c.url})
		checkUsage(t, err, c.refused, c.hint)
		if err != nil && !strings.HasPrefix(err.Error(), "--labserver ") {
			t.Errorf("the flag is not named: %v", err)
		}
	}
}

// The address is the one that answers here, whatever its name means elsewhere.
func TestHostOf(t *testing.T) {
	good := answering(t, 200, control.Health{Status: "ok", API: control.APIVersion})
	_, port, _ := strings.Cut(strings.TrimPrefix(good, "http://"), ":")
	for _, url := range []string{good, good + "/", "http://localhost:" + port} {
		u, err := Connect(t.Context(), UpstreamOptions{url: url})
		if err != nil {
			t.Errorf("%s: %v", url, err)
		} else if u.host != "127.0.0.1" {
			t.Errorf("%s: host %q", url, u.host)
		}
	}
}

// A secret in the URL would be kept in run.json: it is refused before there is
// one, and not repeated.
func TestNoSecretInTheURL(t *testing.T) {
	for _, url := range []string{"http://user:SECRET@127.0.0.1:1", "http://SECRET@127.0.0.1:1", "http://127.0.0.1:1/?token=SECRET", "user:SECRET@127.0.0.1:1", "http://127.0.0.1:1#SECRET"} {
		_, err := Connect(t.Context(), UpstreamOptions{url: url})
		if exit.CodeOf(err) != exit.Usage || strings.Contains(err.Error(), "SECRET") || !strings.Contains(err.Error(), "expected http://HOST:PORT and nothing else") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// Ctrl-C while labserver is being waited for is no failure of labserver.
func TestConnectInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Connect(ctx, UpstreamOptions{url: "http://127.0.0.1:1"})
	if exit.CodeOf(err) != exit.Interrupted {
		t.Errorf("%v", err)
	}
}

// A labserver of another version that speaks the same API serves, and is named.
func TestOtherVersion(t *testing.T) {
	for version, noted := range map[string]bool{"v0.1.0": true, control.Version(): false} {
		u, err := Connect(t.Context(), UpstreamOptions{url: answering(t, 200, control.Health{Status: "ok", API: control.APIVersion, Version: version})})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(u.note, strconv.Quote(version)) != noted || (u.note != "") != noted {
			t.Errorf("%s: note %q", version, u.note)
		}
	}
}
