package labserver

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"sync"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
)

// Server holds the live experiments and the control API. All other state hangs
// on an experiment.
type Server struct {
	cfg         Config
	connections *limit
	callers     callers
	api         *http.Server
	stopNoise   func()

	mu          sync.Mutex
	experiments map[string]*experiment
	named       int // experiments whose name was chosen here
	closed      bool
}

// New returns a server without experiments. Close it.
func New(cfg Config) *Server {
	if cfg.MaxConnections == 0 {
		cfg.MaxConnections = maxConnections()
	}
	if cfg.ErrorLog == nil {
		cfg.ErrorLog = log.New(io.Discard, "", 0)
	}
	s := &Server{cfg: cfg, connections: &limit{most: int64(cfg.MaxConnections)},
		callers: callers{most: maxWaiting()}, experiments: map[string]*experiment{}, stopNoise: func() {}}
	s.api = &http.Server{Handler: s.routes(), ErrorLog: cfg.ErrorLog, ReadHeaderTimeout: headersWithin, IdleTimeout: idleWithin,
		ConnContext: withCaller, ConnState: s.callers.changed}
	if cfg.Noise {
		s.stopNoise = s.startNoise()
	}
	return s
}

// Start serves the control API on controlAddr (host:port, port 0 = any free
// one) and returns its base URL.
func (s *Server) Start(controlAddr string) (baseURL string, err error) {
	if err := checkBind("--control", controlAddr, s.cfg.Token); err != nil {
		return "", err
	}
	l, err := s.cfg.listen(controlAddr)
	if err != nil {
		return "", cannotListen("--control", controlAddr, err)
	}
	go s.api.Serve(l)
	return "http://" + l.Addr().String(), nil
}

// Close ends every experiment and the control API.
func (s *Server) Close() error {
	s.stopNoise()
	for _, x := range s.closing() {
		x.end()
	}
	return s.api.Close()
}

// closing forbids further experiments and hands out those that are left.
func (s *Server) closing() []*experiment {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	left := make([]*experiment, 0, len(s.experiments))
	for _, x := range s.experiments {
		left = append(left, x)
	}
	clear(s.experiments)
	return left
}

// live lists the experiments in no order.
func (s *Server) live() []*experiment {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*experiment, 0, len(s.experiments))
	for _, x := range s.experiments {
		list = append(list, x)
	}
	return list
}

// find returns the named experiment.
func (s *Server) find(name string) (*experiment, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.experiments[name]
	if !ok {
		return nil, refuse(http.StatusNotFound, "it was never created, was deleted, or its ttl is over", "no experiment %q", name)
	}
	return x, nil
}

// remove ends the named experiment and returns its tally.
func (s *Server) remove(name string) (control.Tally, error) {
	s.mu.Lock()
	x, ok := s.experiments[name]
	delete(s.experiments, name)
	s.mu.Unlock()
	if !ok {
		return control.Tally{}, refuse(http.StatusNotFound, "it was never created, was deleted, or its ttl is over", "no experiment %q", name)
	}
	return x.end(), nil
}

// adopt makes x findable and starts its ttl; a name that is taken, or a server that is closing,
// refuses it.
func (s *Server) adopt(x *experiment) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return refuse(http.StatusServiceUnavailable, "", "labserver is shutting down")
	}
	if _, taken := s.experiments[x.name]; taken {
		return refuse(http.StatusConflict, "choose another name, or DELETE the experiment first", "experiment %q exists", x.name)
	}
	if len(s.experiments) >= mostExperiments {
		return refuse(http.StatusInsufficientStorage, "DELETE those that are over, or wait for their ttl",
			"experiment %q: labserver holds %d experiments already, expected at most %d", x.name, len(s.experiments), mostExperiments)
	}
	s.experiments[x.name] = x
	if x.ttl > 0 {
		x.expiry = time.AfterFunc(x.ttl, func() { s.expire(x) })
	}
	return nil
}

// chooseName invents the name of an experiment that came without one.
func (s *Server) chooseName() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		s.named++
		name := fmt.Sprintf("x%d", s.named)
		if _, taken := s.experiments[name]; !taken {
			return name
		}
	}
}
