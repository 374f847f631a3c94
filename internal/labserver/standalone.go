package labserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// standalone serves one scenario without registered operations and writes its
// events to standard output.
func (p *program) standalone(ctx context.Context, cancel context.CancelCauseFunc, s *Server) error {
	sc, err := scenario.Load(p.scenario)
	if err != nil {
		return refuse(0, "a scenario is a name, or a path that contains / or ends in .yaml", "--scenario: %v", err)
	}
	x, err := p.serveStandalone(s, sc)
	if err != nil {
		return err
	}
	written := make(chan error, 1)
	go func() {
		err := eventlog.Copy(context.Background(), x.recorder, p.stdout)
		if err != nil {
			cancel(cannotPrint(err))
		}
		written <- err
	}()
	err = p.await(ctx, cancel)
	s.Close()
	if lost := <-written; lost != nil {
		return cannotPrint(lost)
	}
	return err
}

// cannotPrint is standard output that takes no more.
func cannotPrint(err error) error {
	return refuse(0, "is the disk full that it goes to?", "standard output: %v", err)
}

func (p *program) serveStandalone(s *Server, sc *scenario.Scenario) (*experiment, error) {
	if err := checkBind("--listen", p.listen, s.cfg.Token); err != nil {
		return nil, err
	}
	x := s.experiment(sc.Name, sc, 0, true)
	if err := s.launch(x, "--listen", p.listen); err != nil {
		return nil, err
	}
	if p.control != "" {
		base, err := s.Start(p.control)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(p.stderr, "control API on %s\n", base)
	}
	p.welcome(sc, x.url)
	return x, nil
}

// welcome tells a person what to type.
func (p *program) welcome(sc *scenario.Scenario, url string) {
	fmt.Fprintf(p.stderr, "ready: %s on %s, events on standard output, Ctrl-C ends\n", sc.Name, url)
	if sc.Question != "" {
		fmt.Fprintf(p.stderr, "question: %s\n", strings.Join(strings.Fields(sc.Question), " "))
	}
	fmt.Fprintf(p.stderr, "  curl -sS %s/            every request starts the script anew\n", url)
	fmt.Fprintf(p.stderr, "  curl -sS %s/op/mine/    exchange 1, 2, 3 ... of one operation\n", url)
}
