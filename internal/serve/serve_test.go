package serve_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/memnet"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/serve"
)

const host = "127.0.0.1:80"

// slow is the scenario that these tests serve.
func slow(t *testing.T) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Load("slow_headers")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// config measures nothing and has no runs, unless a test says so.
func config(list ...*scenario.Scenario) serve.Config {
	return serve.Config{
		Scenarios: list, MostRuns: 2, Access: serve.Access{Loopback: true}, Reports: noRuns{},
		Computed: func(*scenario.Scenario, string) float64 { return 1500 }, Now: func() int64 { return 0 },
		Measure: func(context.Context, serve.Order) (*serve.Measured, error) {
			return nil, errors.New("nothing is measured here")
		},
	}
}

type noRuns struct{}

func (noRuns) List() ([]serve.Listed, error) { return nil, nil }
func (noRuns) HTML(context.Context, string) ([]byte, error) {
	return nil, serve.ErrNoRun
}

// page is a served page and a browser for it, without a network between them.
type page struct {
	*http.Client
	stop context.CancelFunc // what Ctrl-C does
	end  func()
}

func servePage(t *testing.T, cfg serve.Config) *page {
	t.Helper()
	n := memnet.New()
	listener, err := n.Listen("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	server := &http.Server{Handler: serve.New(cfg), ReadTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	ended := make(chan struct{})
	go func() { _ = server.Serve(listener); close(ended) }()
	transport := &http.Transport{DialContext: n.DialContext}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &page{Client: client, stop: stop, end: func() {
		stop()
		transport.CloseIdleConnections()
		_ = server.Shutdown(context.Background())
		<-ended
	}}
}

// ask sends a request with headers given as pairs.
func (p *page) ask(t *testing.T, method, path, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, "http://"+host+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := p.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}
