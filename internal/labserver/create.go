package labserver

import (
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"syscall"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

const (
	defaultTTLMs  = 600_000
	loopbackAny   = "127.0.0.1:0"
	idPattern     = `[A-Za-z0-9_.~-]{1,96}`
	maxOperations = 500_000 // of one experiment, helpers and probes included
	// mostKept bounds the events of one experiment that nobody has taken, some
	// 150 bytes each, 500 of a refused request: requests to a data listener
	// need no token.
	mostKept = 200_000
	// keptFor more are kept for each operation that is registered, which takes a
	// token, up to keptForAll: the bench's reading may fall behind a script of
	// thousands of pieces, and must lose none of them.
	keptFor    = 10_000
	keptForAll = 2_000_000
	// mostExperiments bounds those that live at once, some 80 KB each.
	mostExperiments = 1000
)

var idSyntax = regexp.MustCompile(`^` + idPattern + `$`)

// validID tells whether id can name an experiment or an operation. "." and
// ".." are out because clients resolve them inside a URL's path.
func validID(id string) bool { return idSyntax.MatchString(id) && id != "." && id != ".." }

// create answers a request for an experiment, which came to that host, once its
// data listener is live.
func (s *Server) create(r control.ExperimentRequest, host string) (*experiment, error) {
	if err := s.checkRequest(&r); err != nil {
		return nil, err
	}
	sc, err := parseScenario(r.Scenario)
	if err != nil {
		return nil, err
	}
	x := s.experiment(r.Name, sc, time.Duration(r.TTLMs*1e6), r.AutoOperations)
	x.host = host
	return x, s.launch(x, "data_addr", r.DataAddr)
}

// checkRequest fills in the defaults and refuses what is out of range.
func (s *Server) checkRequest(r *control.ExperimentRequest) error {
	if r.Name == "" {
		r.Name = s.chooseName()
	}
	if !validID(r.Name) {
		return refuse(http.StatusBadRequest, "", "name %q: expected %s", r.Name, idPattern)
	}
	if r.TTLMs == 0 {
		r.TTLMs = defaultTTLMs
	}
	if !(r.TTLMs >= 1 && r.TTLMs <= control.MaxTTLMs) {
		return refuse(http.StatusBadRequest, "", "ttl_ms %s: expected 1 to %d", strconv.FormatFloat(r.TTLMs, 'f', -1, 64), int(control.MaxTTLMs))
	}
	if r.DataAddr == "" {
		r.DataAddr = loopbackAny
	}
	return checkBind("data_addr", r.DataAddr, s.cfg.Token)
}

// parseScenario accepts the scenario as a JSON object, which is YAML as well,
// or as a JSON string that holds YAML text.
func parseScenario(raw json.RawMessage) (*scenario.Scenario, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, refuse(http.StatusBadRequest, "send a JSON object, or a JSON string with YAML text", "scenario: missing")
	}
	text := []byte(raw)
	if raw[0] == '"' {
		var yaml string
		if err := json.Unmarshal(raw, &yaml); err != nil {
			return nil, refuse(http.StatusBadRequest, "", "scenario: %v", err)
		}
		text = []byte(yaml)
	}
	sc, err := scenario.Parse("scenario", text)
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "", "%v", err)
	}
	return sc, nil
}

// experiment builds one that does not listen yet. ttl 0 = without end.
func (s *Server) experiment(name string, sc *scenario.Scenario, ttl time.Duration, auto bool) *experiment {
	x := &experiment{name: name, scenario: sc, clock: s.cfg.Clock, nudge: s.cfg.Nudge, ttl: ttl, ended: make(chan struct{})}
	x.recorder = eventlog.NewRecorder(s.cfg.Clock, eventlog.Header{
		Side: eventlog.ServerSide, Experiment: name, Scenario: sc.Name}, eventlog.Retain(mostKept))
	x.operations = operations{auto: auto, byID: map[string]*operation{}}
	x.gates = gates{nudge: x.nudge, byID: map[string]*gate{}}
	x.running = running{exchanges: map[*exchange]bool{}}
	x.connections = connections{open: map[*conn]bool{}}
	return x
}

// launch opens the data listener on addr, which came from the named field or
// flag, and makes x findable.
func (s *Server) launch(x *experiment, from, addr string) error {
	l, err := s.cfg.listen(addr)
	if err != nil {
		return cannotListen(from, addr, err)
	}
	x.shrinkAll(l)
	x.open(&s.cfg, l, s.connections)
	if err := x.standaloneEndpoint(); err != nil {
		x.end()
		return err
	}
	if err := s.adopt(x); err != nil {
		x.end()
		return err
	}
	return nil
}

// expire ends x when its ttl is over, unless it is gone already.
func (s *Server) expire(x *experiment) {
	s.mu.Lock()
	if s.experiments[x.name] == x {
		delete(s.experiments, x.name)
	}
	s.mu.Unlock()
	x.end()
}

func cannotListen(what, addr string, err error) error {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return refuse(http.StatusInsufficientStorage, "DELETE experiments that are over, or raise the limit of open files (ulimit -n)", "%s %s: %v", what, addr, err)
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		return refuse(http.StatusConflict, "another process listens there; choose another port, or 0 for any free one", "%s %s: the port is in use", what, addr)
	}
	return refuse(http.StatusBadRequest, "expected an address of this machine and a free port", "%s %s: %v", what, addr, err)
}
