package bench

import (
	"context"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
)

// upstream is the labserver of a run: a child process, or one that runs
// elsewhere.
type upstream struct {
	client  *control.Client
	process *Process // nil when it runs elsewhere
}

// upstreamOptions say which labserver a run uses.
type upstreamOptions struct {
	url       string // "" = start one
	tokenFile string // "" = the environment's token
}

// connect starts a labserver, or reaches the one at url.
func connect(ctx context.Context, o upstreamOptions) (*upstream, error) {
	if o.url != "" {
		return reach(ctx, o.url, o.tokenFile)
	}
	executable, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p, err := StartLabserver(ctx, executable, Version())
	if err != nil {
		return nil, &Error{Code: ExitIncomplete, Err: err, Hint: "`labserver --scenario healthy` shows whether it can listen on this machine"}
	}
	return &upstream{client: control.NewClient(p.Ready.Control, p.Token, controlHTTP()), process: p}, nil
}

func reach(ctx context.Context, url, tokenFile string) (*upstream, error) {
	token := os.Getenv(control.TokenEnv)
	if tokenFile != "" {
		b, err := os.ReadFile(tokenFile)
		if err != nil {
			return nil, Usagef("", "--token-file: %w", err)
		}
		token = strings.TrimSpace(string(b))
	}
	u := &upstream{client: control.NewClient(strings.TrimSuffix(url, "/"), token, controlHTTP())}
	within, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	health, err := u.client.Health(within)
	if err != nil {
		return nil, Usagef("is a labserver listening there, and is the token its own?", "--labserver %s: %w", url, err)
	}
	if err := checkVersion(health.API, health.Version, Version()); err != nil {
		return nil, Usagef("", "--labserver %s: %w", url, err)
	}
	return u, nil
}

// controlHTTP never goes through a proxy and has no timeout of its own: event
// streams live as long as the run.
func controlHTTP() *http.Client {
	return &http.Client{Transport: &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 64, IdleConnTimeout: 30 * time.Second}}
}

// lost is closed when the labserver is known to have died; nil = never known.
func (u *upstream) lost() <-chan struct{} {
	if u.process == nil {
		return nil
	}
	return u.process.Done()
}

func (u *upstream) stop() {
	if u.process != nil {
		u.process.Stop()
	}
}
