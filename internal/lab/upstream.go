// Package lab starts labserver and the clients of a run, chooses what to measure, and
// measures it into a directory.
package lab

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/runner"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// Upstream is the labserver of a run: a child process, or one that runs
// elsewhere.
type Upstream struct {
	Client  *control.Client
	process *Process // nil when it runs elsewhere
	host    string   // where it can be reached, an IP; empty for a child
	note    string   // what a user should know of it; empty = nothing
}

// UpstreamOptions say which labserver a run uses.
type UpstreamOptions struct {
	url   string // "" = start one
	token string // of the one at url
}

// Connect starts a labserver, or reaches the one at url.
func Connect(ctx context.Context, o UpstreamOptions) (*Upstream, error) {
	way := reach
	if o.url == "" {
		way = start
	}
	u, err := way(ctx, o)
	if err != nil && ctx.Err() != nil {
		return nil, &exit.Error{Code: exit.Interrupted, Err: ErrInterrupted}
	}
	return u, err
}

func start(ctx context.Context, _ UpstreamOptions) (*Upstream, error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("bench cannot find itself to start labserver: %w", err)
	}
	p, err := StartLabserver(ctx, executable, control.Version())
	if exit.CodeOf(err) == exit.Usage {
		return nil, err
	}
	if err != nil {
		return nil, &exit.Error{Code: exit.Incomplete, Err: err, Hint: "`labserver --scenario healthy` shows whether it can listen on this machine"}
	}
	return &Upstream{Client: control.NewClient(p.Ready.Control, p.Token, controlHTTP()), process: p}, nil
}

// reach checks that the labserver at the URL is one, of our version, and finds
// the address at which its data listeners can be reached too.
func reach(ctx context.Context, o UpstreamOptions) (*Upstream, error) {
	within, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	host, err := hostOf(within, o.url)
	if err != nil {
		return nil, err
	}
	u := &Upstream{Client: control.NewClient(o.url, o.token, controlHTTP()), host: host}
	health, err := u.Client.Health(within)
	if err != nil {
		return nil, exit.Usagef("is a labserver listening there, and is the token its own?", "--labserver %s: %w", o.url, err)
	}
	if health.Status != "ok" {
		return nil, exit.Usagef("labserver prints the address of its control API as \"control\" in its first line", "--labserver %s: what answers there is no control API of a labserver", o.url)
	}
	if err := checkVersion(health.API, health.Version, control.Version()); err != nil {
		return nil, exit.Usagef("use binaries of one version on both hosts", "--labserver %s: %w", o.url, err)
	}
	if health.Version != control.Version() {
		u.note = fmt.Sprintf("the labserver at %s is version %q, this bench is %q: they speak the same API, but faults may differ", o.url, health.Version, control.Version())
	}
	return u, nil
}

// Tell prints what a user should know of it.
func (u *Upstream) Tell(s console.Streams) {
	if u.note != "" {
		fmt.Fprintln(s.Err, "note:", u.note)
	}
}

// hostOf is the IP that answers at the URL. A name may mean another address
// over there, so labserver is told the one that is seen from here.
func hostOf(ctx context.Context, text string) (string, error) {
	if strings.ContainsAny(text, "@?#") {
		return "", exit.Usagef("the token goes into a file: --token-file F", "--labserver: expected http://HOST:PORT and nothing else; arguments are kept in run.json, so a name, a password or a query is refused")
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" || u.Hostname() == "" || u.Port() == "" || (u.Path != "" && u.Path != "/") {
		return "", exit.Usagef("labserver prints it as \"control\" in its first line", "--labserver %q: expected http://HOST:PORT", text)
	}
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return "", exit.Usagef("is a labserver listening there?", "--labserver %s: %w", text, err)
	}
	defer c.Close()
	host, _, err := net.SplitHostPort(c.RemoteAddr().String())
	return host, err
}

// controlHTTP never goes through a proxy and has no timeout of its own: event
// streams live as long as the run. A host that is gone is noticed within some
// 20 s, by probes of the kernel.
func controlHTTP() *http.Client {
	dialer := &net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 5 * time.Second, Count: 3}}
	return &http.Client{Transport: &http.Transport{Proxy: nil, DialContext: dialer.DialContext, MaxIdleConnsPerHost: 64, IdleConnTimeout: 30 * time.Second}}
}

// Lost is closed when the labserver is known to have died; nil = never known.
func (u *Upstream) Lost() <-chan struct{} {
	if u.process == nil {
		return nil
	}
	return u.process.Done()
}

// whyEnded is why a run is not complete, nil if it is. What gave the run up
// comes before what followed from it.
func (u *Upstream) whyEnded(ctx context.Context, result *runner.Result, err error) error {
	var given *exit.Error
	var lost *runner.ServerLost
	switch {
	case errors.As(context.Cause(ctx), &given):
		return given
	case errors.As(err, &lost):
		return u.explain(err)
	case err == nil && result.Interrupted:
		return ErrInterrupted
	}
	return err
}

// explain adds how the labserver's process ended, which is known a moment after
// its connections are closed.
func (u *Upstream) explain(err error) error {
	if u.process == nil {
		return err
	}
	select {
	case <-u.process.Done():
		return fmt.Errorf("%w; %w", err, u.process.Err())
	case <-time.After(time.Second):
		return err
	}
}

// Stop ends the labserver, if it was started here.
func (u *Upstream) Stop() {
	if u.process != nil {
		u.process.Stop()
	}
}

// Operations registers n operations of a scenario; end closes its experiment.
func (u *Upstream) Operations(ctx context.Context, s *scenario.Scenario, n int) (calls []*DirectCall, end func(), err error) {
	document, err := control.Document(s)
	if err != nil {
		return nil, nil, err
	}
	x, err := u.Client.Create(ctx, control.ExperimentRequest{Scenario: document, DataAddr: runner.DataAddr(u.host)})
	if err != nil {
		return nil, nil, err
	}
	end = func() { _, _ = u.Client.Delete(context.WithoutCancel(ctx), x.Name) }
	var asked []control.OperationRequest
	for i := range n {
		asked = append(asked, control.OperationRequest{Op: fmt.Sprintf("check-%02d", i+1)})
	}
	registered, err := u.Client.Register(ctx, x.Name, asked)
	for i, op := range registered {
		calls = append(calls, &DirectCall{Operation: op, Client: fmt.Sprintf("client-%02d", i+1)})
	}
	return calls, end, err
}
