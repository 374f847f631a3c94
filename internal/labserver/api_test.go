package labserver

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

func readError(l *lab, res *http.Response) (string, control.ErrorBody) {
	l.Helper()
	var body control.ErrorBody
	text := must(io.ReadAll(res.Body))(l)
	if err := json.Unmarshal(text, &body); err != nil {
		l.Fatalf("not an error body: %q", text)
	}
	return strconv.Itoa(res.StatusCode), body
}

// call is one raw request to the control API.
func (l *lab) call(method, path, body string, header ...string) *http.Response {
	l.Helper()
	req := must(http.NewRequest(method, l.base+path, strings.NewReader(body)))(l)
	req.Header.Set("Authorization", "Bearer "+testToken)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return must(l.http.Do(req))(l)
}

func TestBadInput(t *testing.T) {
	const x = "/v1/experiments"
	healthy := `"scenario": ` + scenarioWith(`{"type": "healthy"}`)
	for _, c := range []struct{ name, method, path, body, want string }{
		{"unknown path", "GET", "/v2/health", "", `404 nothing answers GET /v2/health`},
		{"wrong method", "DELETE", "/v1/health", "", `405 DELETE /v1/health: expected GET, HEAD`},
		{"wrong method of an experiment", "PATCH", x + "/x", "", `405 PATCH /v1/experiments/x: expected GET, HEAD, DELETE`},
		{"wrong method of a gate", "GET", x + "/x/gates/op-1/release", "", `405 GET /v1/experiments/x/gates/op-1/release: expected POST`},
		{"not JSON", "POST", x, "scenario: healthy", `400 body: invalid character 's' looking for beginning of value`},
		{"unknown field", "POST", x, `{"scenari": {}}`, `400 body: unknown field "scenari"`},
		{"wrong type", "POST", x, `{"ttl_ms": "long"}`, `400 body: cannot unmarshal string into Go struct field ExperimentRequest.ttl_ms of type float64`},
		{"two values", "POST", x, `{} {}`, `400 body: more follows the first JSON value`},
		{"too large", "POST", x, `{"name": "` + strings.Repeat("a", 1<<20) + `"}`, `413 body: expected at most 1048576 bytes`},
		{"no scenario", "POST", x, `{}`, `400 scenario: missing`},
		{"null scenario", "POST", x, `{"scenario": null}`, `400 scenario: missing`},
		{"bad name", "POST", x, `{"name": "a b", ` + healthy + `}`, `400 name "a b": expected [A-Za-z0-9_.~-]{1,96}`},
		{"dots only", "POST", x, `{"name": "..", ` + healthy + `}`, `400 name "..": expected [A-Za-z0-9_.~-]{1,96}`},
		{"ttl too long", "POST", x, `{"ttl_ms": 86400001, ` + healthy + `}`, `400 ttl_ms 86400001: expected 1 to 86400000`},
		{"ttl negative", "POST", x, `{"ttl_ms": -1, ` + healthy + `}`, `400 ttl_ms -1: expected 1 to 86400000`},
		{"data_addr without port", "POST", x, `{"data_addr": "localhost", ` + healthy + `}`, `400 data_addr "localhost": expected host:port (address localhost: missing port in address)`},
		{"data_addr in use", "POST", x, `{"data_addr": "127.0.0.1:9", ` + healthy + `}`, `409 data_addr 127.0.0.1:9: the port is in use`},
		{"name in use", "POST", x, `{"name": "x", ` + healthy + `}`, `409 experiment "x" exists`},
		{"no experiment", "GET", x + "/y", "", `404 no experiment "y"`},
		{"delete of none", "DELETE", x + "/y", "", `404 no experiment "y"`},
		{"operation of none", "PUT", x + "/y/operations/a", "", `404 no experiment "y"`},
		{"operations of none", "PUT", x + "/y/operations", "", `404 no experiment "y"`},
		{"events of none", "GET", x + "/y/events", "", `404 no experiment "y"`},
		{"stream of none", "GET", x + "/y/events/stream", "", `404 no experiment "y"`},
		{"wait of none", "GET", x + "/y/events/wait?event=a", "", `404 no experiment "y"`},
		{"gate of none", "GET", x + "/y/gates/a", "", `404 no experiment "y"`},
		{"release of none", "POST", x + "/y/gates/a/release", "", `404 no experiment "y"`},
		{"bad operation id", "PUT", x + "/x/operations/a%20b", "", `400 op "a b": expected [A-Za-z0-9_.~-]{1,96}`},
		{"bad phase", "PUT", x + "/x/operations/a", `{"phase": "cold"}`, `400 phase "cold": expected warmup, measured, helper, probe or startup`},
		{"other phase", "PUT", x + "/x/operations/op-1", `{"phase": "probe"}`, `409 operation "op-1" is registered with phase measured`},
		{"two ids", "PUT", x + "/x/operations/a", `{"op": "b"}`, `400 op "b" differs from the path's "a"`},
		{"bulk with one bad id", "PUT", x + "/x/operations", `{"operations": [{"op": "a"}, {"op": ""}]}`, `400 op "": expected [A-Za-z0-9_.~-]{1,96}`},
		{"bulk with one id in two phases", "PUT", x + "/x/operations", `{"operations": [{"op": "a", "phase": "probe"}, {"op": "a", "phase": "helper"}]}`, `409 operation "a" is registered with phase probe`},
		{"bulk, unknown field", "PUT", x + "/x/operations", `{"operations": [{"opp": "a"}]}`, `400 body: unknown field "opp"`},
		{"gate nobody has", "POST", x + "/x/gates/op-2/release", "", `404 no operation "op-2" is registered`},
		{"release of too many", "POST", x + "/x/gates/op-1/release", `{"count": 20001}`, `400 count 20001: expected 1 to 20000`},
		{"release of less than none", "POST", x + "/x/gates/op-1/release", `{"count": -1}`, `400 count -1: expected 1 to 20000`},
		{"held: not a number", "GET", x + "/x/gates/op-1?held=many", "", `400 held "many": expected 0 to 20000`},
		{"timeout_ms: NaN", "GET", x + "/x/gates/op-1?timeout_ms=NaN", "", `400 timeout_ms "NaN": expected 0 to 600000`},
		{"timeout_ms: negative", "GET", x + "/x/events/wait?event=gate_held&timeout_ms=-1", "", `400 timeout_ms "-1": expected 0 to 600000`},
		{"nobody is held", "GET", x + "/x/gates/op-1?held=1&timeout_ms=250", "", `504 gate "op-1": 0 held within 250ms, expected 1`},
		{"after: negative", "GET", x + "/x/events?after=-1", "", `400 after "-1": expected 0 to 4611686018427387904`},
		{"limit: zero", "GET", x + "/x/events?limit=0", "", `400 limit "0": expected 1 to 10000`},
		{"unknown parameter", "GET", x + "/x/events?afetr=1", "", `400 query: unknown parameter "afetr": expected after, limit`},
		{"broken query", "GET", x + "/x/events?after=%zz", "", `400 query: invalid URL escape "%zz"`},
		{"keep neither way", "GET", x + "/x/events/stream?keep=1", "", `400 keep "1": expected true or false`},
		{"take and keep", "POST", x + "/x/events/stream?keep=true", "", `400 query: unknown parameter "keep": expected after`},
		{"stream after nonsense", "GET", x + "/x/events/stream?after=x", "", `400 after "x": expected 0 to 4611686018427387904`},
		{"wait for nothing", "GET", x + "/x/events/wait", "", `400 event: missing: expected the name of an event`},
		{"wait for a kind that is none", "GET", x + "/x/events/wait?event=gate_hold", "", `400 event "gate_hold": expected a kind that a server records, like fault_fired`},
		{"wait for the client's kind", "GET", x + "/x/events/wait?event=deadline_fired", "", `400 event "deadline_fired": expected a kind that a server records, like fault_fired`},
		{"wait in vain", "GET", x + "/x/events/wait?event=gate_held&timeout_ms=10", "", `504 no event "gate_held" within 10ms`},
	} {
		t.Run(c.name, func(t *testing.T) {
			inLab(t, Config{}, func(l *lab) {
				occupied := must(l.net.Listen("tcp", "127.0.0.1:9"))(l)
				defer occupied.Close()
				l.experiment("{type: healthy}", op("op-1"))
				res := l.call(c.method, c.path, c.body)
				defer res.Body.Close()
				status, body := readError(l, res)
				if got := status + " " + body.Error; got != c.want {
					l.Errorf("got  %s\nwant %s", got, c.want)
				}
			})
		})
	}
}

// Problems of a scenario come with their places.
func TestBadScenario(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		_, err := l.Create(l.Context(), control.ExperimentRequest{Scenario: upstream("{type: slow_headers, response_delay_ms: -1}")})
		var api *control.APIError
		if !errors.As(err, &api) || api.Status != http.StatusBadRequest || !strings.Contains(api.Message, "scenario:3:") {
			l.Errorf("got %v", err)
		}
	})
}

// A file of nothing but mistakes gets a short answer, whatever they are.
func TestAnswersAreBounded(t *testing.T) {
	var keys strings.Builder
	for i := range 60_000 {
		keys.WriteString("k" + strconv.Itoa(i) + ": 1\n")
	}
	many, _ := json.Marshal(keys.String())
	long, _ := json.Marshal(strings.Repeat("k", 900_000) + ": 1")
	for _, scenario := range []json.RawMessage{many, long} {
		inLab(t, Config{}, func(l *lab) {
			res := l.call("POST", "/v1/experiments", `{"scenario": `+string(scenario)+`}`)
			defer res.Body.Close()
			text := must(io.ReadAll(res.Body))(l)
			if res.StatusCode != http.StatusBadRequest || len(text) > 40_000 {
				l.Errorf("status %d, %d bytes: %.500s", res.StatusCode, len(text), text)
			}
		})
	}
}

// A scenario may also come as a JSON object.
func TestScenarioAsObject(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		object := json.RawMessage(scenarioWith(`{"type": "slow_headers", "response_delay_ms": 5}`))
		x := must(l.Create(l.Context(), control.ExperimentRequest{Name: "x", Scenario: object, AutoOperations: true}))(l)
		if x.Scenario != "lab" || x.TTLMs != defaultTTLMs || x.LastSeq != 1 {
			l.Errorf("got %+v", x)
		}
		if _, took := l.get(x.DataURL); took != 5*time.Millisecond {
			l.Errorf("took %v", took)
		}
	})
}

func TestWhoIsLetIn(t *testing.T) {
	for _, c := range []struct {
		name   string
		header []string
		want   int
	}{
		{"the token", nil, 200},
		{"another token", []string{"Authorization", "Bearer t0kem"}, 401},
		{"a longer token", []string{"Authorization", "Bearer t0ken2"}, 401},
		{"no token", []string{"Authorization", ""}, 401},
		{"another scheme", []string{"Authorization", "Basic t0ken"}, 401},
		{"a browser", []string{"Origin", "http://evil.example"}, 403},
		{"a browser at home", []string{"Origin", "null"}, 403},
		{"a browser that names nothing", []string{"Origin", ""}, 403},
		{"an image of another page", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"an image of a page on another port", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"an address typed into a browser", []string{"Sec-Fetch-Site", "none"}, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			inLab(t, Config{}, func(l *lab) {
				res := l.call("GET", "/v1/health", "", c.header...)
				defer res.Body.Close()
				if res.StatusCode != c.want {
					l.Errorf("got %d, want %d", res.StatusCode, c.want)
				}
			})
		})
	}
}

// Who asks in the wrong way is told the right ones, by the header too.
func TestAllow(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		for path, want := range map[string]string{"/v1/experiments": "POST", "/v1/experiments/x/events/stream": "GET, HEAD, POST", "/v1/experiments/x/operations/a": "PUT"} {
			res := l.call("TRACE", path, "")
			defer res.Body.Close()
			if got := res.Header.Get("Allow"); got != want || res.StatusCode != http.StatusMethodNotAllowed {
				l.Errorf("%s: %d, Allow %q, want %q", path, res.StatusCode, got, want)
			}
		}
	})
}

func TestBindWithoutToken(t *testing.T) {
	for addr, allowed := range map[string]bool{"127.0.0.1:0": true, "[::1]:0": true, "localhost:80": true, "127.8.8.8:1": true,
		"0.0.0.0:0": false, ":0": false, "[::]:0": false, "192.0.2.1:80": false, "example.com:80": false} {
		if err := checkBind("--control", addr, ""); (err == nil) != allowed {
			t.Errorf("%s without a token: %v", addr, err)
		}
		if err := checkBind("--control", addr, "secret"); err != nil {
			t.Errorf("%s with a token: %v", addr, err)
		}
	}
}

func TestHostWithoutToken(t *testing.T) {
	for host, allowed := range map[string]bool{"127.0.0.1:80": true, "localhost": true, "[::1]:80": true, "evil.example": false, "evil.example:80": false} {
		if err := checkHost(host); (err == nil) != allowed {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestHealthAndClock(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		l.experiment("{type: healthy}")
		if got, want := must(l.Health(l.Context()))(l), (control.Health{Status: "ok", API: control.APIVersion, Version: "test", Experiments: 1}); got != want {
			l.Errorf("got %+v, want %+v", got, want)
		}
		if got := must(l.Clock(l.Context()))(l); got.TNs != l.server.cfg.Clock.Now() || got.Clock == "" {
			l.Errorf("got %+v at %d", got, l.server.cfg.Clock.Now())
		}
	})
}

func TestRegister(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		ops := l.experiment("{type: healthy}", op("a"), control.OperationRequest{Op: "b", Phase: eventlog.Probe})
		x := must(l.Experiment(l.Context(), "x"))(l)
		if want := (control.Operation{Op: "b", BaseURL: x.DataURL + "/op/b/", Marker: "deadlinelab:b"}); ops[1] != want {
			l.Errorf("got %+v, want %+v", ops[1], want)
		}
		again := must(l.Register(l.Context(), "x", []control.OperationRequest{op("a")}))(l)
		if again[0] != ops[0] {
			l.Errorf("again: %+v", again)
		}
		res := l.call("PUT", "/v1/experiments/x/operations/c", "")
		res.Body.Close()
		if res.StatusCode != 200 {
			l.Errorf("single: %d", res.StatusCode)
		}
	})
}

// A bulk with a mistake registers nothing.
func TestRegisterAllOrNone(t *testing.T) {
	inLab(t, Config{}, func(l *lab) {
		l.experiment("{type: healthy}")
		if _, err := l.Register(l.Context(), "x", []control.OperationRequest{op("a"), op("b c")}); err == nil {
			l.Error("no error")
		}
		x := must(l.Experiment(l.Context(), "x"))(l)
		if answer, _ := l.get(x.DataURL + "/op/a/"); !strings.HasPrefix(answer, "599") {
			l.Errorf("a is served: %s", answer)
		}
	})
}
