package control

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// answering is a client of a server that always answers the same and tells
// what it was asked.
func answering(t *testing.T, status int, body string) (*Client, func() string) {
	var asked string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		asked = strings.TrimSpace(r.Method + " " + r.URL.RequestURI() + " " + string(text) + " " + r.Header.Get("Authorization"))
		w.WriteHeader(status)
		io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return NewClient(s.URL+"/", "s3cret", s.Client()), func() string { return asked }
}

// What goes over the wire for every call.
func TestRequests(t *testing.T) {
	for _, c := range []struct {
		name string
		call func(c *Client) error
		want string
	}{
		{"health", func(c *Client) error { _, err := c.Health(t.Context()); return err }, "GET /v1/health  Bearer s3cret"},
		{"clock", func(c *Client) error { _, err := c.Clock(t.Context()); return err }, "GET /v1/clock  Bearer s3cret"},
		{"create", func(c *Client) error {
			_, err := c.Create(t.Context(), ExperimentRequest{Name: "x", Scenario: json.RawMessage(`{"name":"s"}`)})
			return err
		}, `POST /v1/experiments {"name":"x","scenario":{"name":"s"}} Bearer s3cret`},
		{"experiment", func(c *Client) error { _, err := c.Experiment(t.Context(), "x"); return err }, "GET /v1/experiments/x  Bearer s3cret"},
		{"a name that needs escaping", func(c *Client) error { _, err := c.Experiment(t.Context(), "a/b?c"); return err }, "GET /v1/experiments/a%2Fb%3Fc  Bearer s3cret"},
		{"delete", func(c *Client) error { _, err := c.Delete(t.Context(), "x"); return err }, "DELETE /v1/experiments/x  Bearer s3cret"},
		{"release", func(c *Client) error { return c.Release(t.Context(), "x", "g", Release{Count: 2, AtNs: 5}) }, `POST /v1/experiments/x/gates/g/release {"count":2,"at_ns":5} Bearer s3cret`},
		{"held", func(c *Client) error {
			_, err := c.Held(t.Context(), "x", "g", 3, 1500*time.Microsecond)
			return err
		}, "GET /v1/experiments/x/gates/g?held=3&timeout_ms=1.5  Bearer s3cret"},
		{"events", func(c *Client) error { _, err := c.Events(t.Context(), "x", 7, 100); return err }, "GET /v1/experiments/x/events?after=7&limit=100  Bearer s3cret"},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, asked := answering(t, http.StatusOK, "{}")
			if err := c.call(client); err != nil || asked() != c.want {
				t.Errorf("asked %q, error %v, want %q", asked(), err, c.want)
			}
		})
	}
}

func TestRegister(t *testing.T) {
	ops := []OperationRequest{{Op: "a"}, {Op: "b", Phase: eventlog.Probe}}
	client, asked := answering(t, http.StatusOK, `{"operations":[{"op":"a"},{"op":"b"}]}`)
	got, err := client.Register(t.Context(), "x", ops)
	if err != nil || len(got) != 2 || got[1].Op != "b" {
		t.Errorf("got %+v, %v", got, err)
	}
	if want := `PUT /v1/experiments/x/operations {"operations":[{"op":"a"},{"op":"b","phase":"probe"}]} Bearer s3cret`; asked() != want {
		t.Errorf("asked %q", asked())
	}
	client, _ = answering(t, http.StatusOK, `{"operations":[{"op":"a"}]}`)
	if _, err := client.Register(t.Context(), "x", ops); err == nil {
		t.Error("an answer that lacks one was accepted")
	}
}

func TestWait(t *testing.T) {
	client, asked := answering(t, http.StatusOK, `{"seq":9,"t_ns":1000,"experiment":"x","op":"a","exchange":1,"event":"server_request_started"}`+"\n")
	e, err := client.Wait(t.Context(), "x", eventlog.ServerRequestStarted, "a", 1, time.Second)
	if err != nil || e.Seq != 9 || e.TNs != 1000 || e.Op != "a" {
		t.Errorf("got %+v, %v", e, err)
	}
	if want := "GET /v1/experiments/x/events/wait?count=1&event=server_request_started&op=a&timeout_ms=1000  Bearer s3cret"; asked() != want {
		t.Errorf("asked %q", asked())
	}
}

func TestStream(t *testing.T) {
	client, asked := answering(t, http.StatusOK, "one\ntwo\n")
	body, err := client.Stream(t.Context(), "x", 3)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if text, _ := io.ReadAll(body); string(text) != "one\ntwo\n" || asked() != "GET /v1/experiments/x/events/stream?after=3  Bearer s3cret" {
		t.Errorf("got %q for %q", text, asked())
	}
}

func TestTake(t *testing.T) {
	client, asked := answering(t, http.StatusOK, "one\n")
	body, err := client.Take(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if text, _ := io.ReadAll(body); string(text) != "one\n" || asked() != "POST /v1/experiments/x/events/stream  Bearer s3cret" {
		t.Errorf("got %q for %q", text, asked())
	}
}

// A labserver that does not know how to be taken from is read all the same.
func TestTakeFromAnEarlierVersion(t *testing.T) {
	client, asked := answering(t, http.StatusNotFound, `{"error":"nothing answers POST /v1/experiments/x/events/stream"}`)
	if _, err := client.Take(t.Context(), "x"); err == nil || asked() != "GET /v1/experiments/x/events/stream?after=0  Bearer s3cret" {
		t.Errorf("error %v, asked %q", err, asked())
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		body   string
		want   APIError
	}{
		{"labserver's own", 404, `{"error":"no experiment \"x\"","hint":"create it"}`, APIError{404, `no experiment "x"`, "create it"}},
		{"without a hint", 504, `{"error":"late"}`, APIError{504, "late", ""}},
		{"somebody else's", 502, "<html>Bad Gateway</html>\n", APIError{502, `unexpected answer "<html>Bad Gateway</html>"`, "is this the address of labserver's control API?"}},
		{"empty", 500, "", APIError{500, `unexpected answer ""`, "is this the address of labserver's control API?"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, _ := answering(t, c.status, c.body)
			_, err := client.Experiment(t.Context(), "x")
			var api *APIError
			if !errors.As(err, &api) || *api != c.want || api.TimedOut() != (c.status == 504) {
				t.Fatalf("got %v", err)
			}
			if _, err := client.Stream(t.Context(), "x", 0); !errors.As(err, &api) || *api != c.want {
				t.Errorf("stream: got %v", err)
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	for want, e := range map[string]*APIError{
		"labserver: late (504)":                   {504, "late", ""},
		"labserver: gone (404); hint: look there": {404, "gone", "look there"},
	} {
		if e.Error() != want {
			t.Errorf("got %q, want %q", e.Error(), want)
		}
	}
}

func TestAnswerThatIsNotJSON(t *testing.T) {
	client, _ := answering(t, http.StatusOK, "hello")
	if _, err := client.Health(t.Context()); err == nil || !strings.Contains(err.Error(), "the answer to GET /v1/health is not the expected JSON") {
		t.Errorf("got %v", err)
	}
}

func TestNobodyListens(t *testing.T) {
	client, _ := answering(t, http.StatusOK, "{}")
	client.base = "http://127.0.0.1:1"
	if _, err := client.Health(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "labserver: ") {
		t.Errorf("got %v", err)
	}
}
