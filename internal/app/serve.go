package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/predict"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/serve"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// ServeOptions are the flags of `bench serve`.
type ServeOptions struct {
	Scenarios []string // names or paths; none = every embedded one
	Listen    string   // host:port
	Token     string   // required unless Listen is loopback
	Results   string   // where the runs are that can be opened
}

// How much one page takes on: more runs at once would measure each other, and
// a browser holds only a few connections.
const (
	serveRuns        = 6
	serveConnections = 256
	serveHeaderBytes = 16 << 10
	serveStopWithin  = 10 * time.Second
)

// Serve offers the workshop's page until ctx ends, which is its normal end:
// operations that still run are ended, and the code is 0. It is 13 when no
// labserver can be started, 64 when it cannot listen.
func Serve(ctx context.Context, s console.Streams, o ServeOptions) (int, error) {
	scenarios, err := o.scenarios()
	if err != nil {
		return 0, err
	}
	listener, access, err := o.listen()
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	lab := &liveLab{}
	if _, err := lab.upstream(ctx); err != nil {
		return 0, err
	}
	defer lab.stop()
	o.announce(s, listener.Addr(), access)
	handler := serve.New(serve.Config{
		Scenarios: scenarios, Measure: lab.measure, Computed: computedMs, Now: clock.New().Now,
		Reports: newReportCache(o.Results), Access: access, MostRuns: serveRuns,
	})
	return exit.OK, serveUntil(ctx, listener, handler)
}

func (o ServeOptions) scenarios() ([]*scenario.Scenario, error) {
	list := scenario.All()
	if len(o.Scenarios) > 0 {
		var err error
		if list, err = lab.LoadScenarios(o.Scenarios); err != nil {
			return nil, err
		}
	}
	if _, err := runner.NewPlan(list, nil, runner.Options{Repeats: 1, Operations: 1}); err != nil {
		return nil, exit.Usagef("", "%w", err)
	}
	return list, nil
}

// listen refuses to be reached from other machines without a token.
func (o ServeOptions) listen() (net.Listener, serve.Access, error) {
	host, _, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, serve.Access{}, exit.Usagef("an example: --listen 127.0.0.1:8080", "--listen %q: expected host:port: %w", o.Listen, err)
	}
	listener, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, serve.Access{}, exit.Usagef("port 0 takes any free one", "--listen %s: %w", o.Listen, err)
	}
	access := serve.Access{Token: o.Token, Loopback: isLoopback(listener.Addr())}
	if host != "" && net.ParseIP(host) == nil {
		access.Names = []string{strings.ToLower(host)}
	}
	if !access.Loopback && o.Token == "" {
		listener.Close()
		return nil, serve.Access{}, exit.Usagef("choose a --token, which everybody needs who is to see the page", "--listen %s can be reached from other machines: expected a --token, or a loopback address", o.Listen)
	}
	return lab.NewFewConnections(listener, serveConnections), access, nil
}

func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// announce prints what people open: first what others can, where they can.
func (o ServeOptions) announce(s console.Streams, a net.Addr, access serve.Access) {
	own, _ := net.InterfaceAddrs() // without them localhost is left
	said := "serving"
	for _, host := range hostsOf(a.(*net.TCPAddr).IP, access, own) {
		fmt.Fprintf(s.Out, "%s %s\n", said, o.address(host, a, access))
		said = "also at"
	}
}

// hostsOf are the names and addresses under which the page is reached. Behind a
// wildcard address these are the machine's own, and localhost.
func hostsOf(listening net.IP, access serve.Access, own []net.Addr) (hosts []string) {
	switch {
	case len(access.Names) > 0:
		return access.Names
	case !listening.IsUnspecified():
		return []string{listening.String()}
	}
	for _, a := range own {
		n, ok := a.(*net.IPNet)
		if ok && n.IP.IsGlobalUnicast() && (listening.To4() == nil || n.IP.To4() != nil) {
			hosts = append(hosts, n.IP.String())
		}
	}
	return append(hosts, "localhost")
}

func (o ServeOptions) address(host string, a net.Addr, access serve.Access) string {
	at := "http://" + net.JoinHostPort(host, fmt.Sprint(a.(*net.TCPAddr).Port)) + "/"
	if access.Token != "" {
		at += "?token=" + url.QueryEscape(access.Token)
	}
	return at
}

// serveUntil answers requests until ctx ends; that ends the runs, whose
// browsers are told before the connections close.
func serveUntil(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler: handler, BaseContext: func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: serveHeaderBytes,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	within, cancel := context.WithTimeout(context.Background(), serveStopWithin)
	defer cancel()
	err := server.Shutdown(within)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	<-ended
	return err
}

// computedMs is what the waits of a variant add up to.
func computedMs(s *scenario.Scenario, variant string) float64 {
	v, _ := variants.Find(variant)
	return float64(predict.Compute(s, v).Longest.Duration) / 1e6
}
