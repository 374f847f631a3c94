package labserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// process is Main in this process, with its streams.
type process struct {
	stdin          *io.PipeWriter
	stdout, stderr *bufio.Reader
	code           chan int
}

func start(env map[string]string, args ...string) *process {
	in, stdin := io.Pipe()
	stdout, out := io.Pipe()
	stderr, errs := io.Pipe()
	p := &process{stdin: stdin, stdout: bufio.NewReader(stdout), stderr: bufio.NewReader(stderr), code: make(chan int, 1)}
	go func() {
		code := Main(args, in, out, errs, func(key string) string { return env[key] })
		out.Close()
		errs.Close()
		p.code <- code
	}()
	return p
}

// The ready line is the first and only line of a labserver under control; the
// end of its standard input ends it.
func TestUnderControl(t *testing.T) {
	p := start(map[string]string{control.TokenEnv: "s3cret"}, "--parent-stdin", "--control", "127.0.0.1:0")
	go io.Copy(io.Discard, p.stderr)
	line, err := p.stdout.ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var ready control.Ready
	if err := json.Unmarshal(line, &ready); err != nil || !ready.Ready || ready.API != control.APIVersion || ready.PID != os.Getpid() {
		t.Fatalf("ready line %s: %v", line, err)
	}
	transport := &http.Transport{}
	client := control.NewClient(ready.Control, "s3cret", &http.Client{Transport: transport})
	if health, err := client.Health(t.Context()); err != nil || health.Version != ready.Version {
		t.Errorf("health %+v, %v", health, err)
	}
	transport.CloseIdleConnections()
	p.stdin.Close()
	if rest, _ := io.ReadAll(p.stdout); len(rest) != 0 {
		t.Errorf("more on standard output: %s", rest)
	}
	if code := <-p.code; code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// By hand: notes for people on one stream, events for programs on the other.
func TestByHand(t *testing.T) {
	p := start(nil, "--scenario", "slow_body", "--listen", "127.0.0.1:0", "--parent-stdin")
	events := make(chan []byte, 1)
	go func() {
		text, _ := io.ReadAll(p.stdout)
		events <- text
	}()
	url := p.announced(t)
	go io.Copy(io.Discard, p.stderr)
	transport := &http.Transport{}
	res, err := (&http.Client{Transport: transport}).Get(url)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	res.Body.Close()
	if want := "{\"chunks\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,\"deadlinelab:request-1\"]}\n"; string(body) != want {
		t.Errorf("got %q", body)
	}
	transport.CloseIdleConnections()
	p.stdin.Close()
	if code := <-p.code; code != exitOK {
		t.Errorf("exit code %d", code)
	}
	checkWholeLog(t, <-events)
}

var curlLine = regexp.MustCompile(`curl -sS (http://\S+/) `)

// announced reads the notes up to the line that people copy.
func (p *process) announced(t *testing.T) string {
	t.Helper()
	for {
		line, err := p.stderr.ReadString('\n')
		if m := curlLine.FindStringSubmatch(line); m != nil {
			return m[1]
		}
		if err != nil {
			t.Fatal("no curl line among the notes")
		}
	}
}

func checkWholeLog(t *testing.T, text []byte) {
	t.Helper()
	var events []eventlog.Event
	log, err := eventlog.ReadEach("stdout", bytes.NewReader(text), func(e *eventlog.Event) { events = append(events, *e) })
	if err != nil || log.Torn {
		t.Fatalf("%v, torn %v", err, log.Torn)
	}
	count := map[eventlog.Kind]int{}
	for i, e := range events {
		count[e.Kind]++
		if i > 0 && e.Seq != events[i-1].Seq+1 {
			t.Errorf("seq %d follows %d", e.Seq, events[i-1].Seq)
		}
	}
	if count[eventlog.ServerBodyWritten] != 16 || count[eventlog.ConnectionClosed] != 1 {
		t.Errorf("%d chunks, %d connections closed", count[eventlog.ServerBodyWritten], count[eventlog.ConnectionClosed])
	}
}

func TestCommandLine(t *testing.T) {
	occupied, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer occupied.Close()
	taken := occupied.Addr().String()
	broken := filepath.Join(t.TempDir(), "broken.yaml")
	if err := os.WriteFile(broken, []byte("name: broken\nbudget: 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		want []string // parts of standard error
	}{
		{"unknown flag", []string{"--scenari", "healthy"}, 64, []string{"error: unknown flag: --scenari", "hint: `labserver --help`"}},
		{"argument", []string{"healthy"}, 64, []string{`error: unexpected argument "healthy"`, "hint: a scenario goes to --scenario"}},
		{"listen alone", []string{"--listen", "127.0.0.1:0"}, 64, []string{"error: --listen", "hint: add --scenario NAME"}},
		{"empty scenario", []string{"--scenario", ""}, 64, []string{`error: --scenario "": expected a name or a path`, "hint: leave it out"}},
		{"unknown scenario", []string{"--scenario", "slow_bdy"}, 64, []string{"error: --scenario: ", `did you mean "slow_body"`, "hint: "}},
		{"broken scenario", []string{"--scenario", broken}, 64, []string{broken + ":2:1: "}},
		{"no such file", []string{"--scenario", broken + "2.yaml"}, 64, []string{"no such file", "hint: "}},
		{"control port in use", []string{"--control", taken}, 64, []string{"error: --control " + taken + ": the port is in use", "hint: another process"}},
		{"data port in use", []string{"--scenario", "healthy", "--listen", taken}, 64, []string{"error: --listen " + taken + ": the port is in use", "hint: another process"}},
		{"control port in use by hand", []string{"--scenario", "healthy", "--control", taken}, 64, []string{"error: --control " + taken + ": the port is in use"}},
		{"open to the world", []string{"--control", "0.0.0.0:0"}, 64, []string{"not a loopback address", control.TokenEnv}},
		{"data open to the world", []string{"--scenario", "healthy", "--listen", ":0"}, 64, []string{"not a loopback address", control.TokenEnv}},
		{"not an address", []string{"--control", "8080"}, 64, []string{"expected host:port"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := Main(c.args, strings.NewReader(""), &out, &errs, func(string) string { return "" })
			if code != c.code || out.Len() != 0 {
				t.Errorf("exit code %d, standard output %q", code, out.String())
			}
			for _, part := range c.want {
				if !strings.Contains(errs.String(), part) {
					t.Errorf("standard error lacks %q:\n%s", part, errs.String())
				}
			}
		})
	}
}

func TestHelpAndVersion(t *testing.T) {
	for flag, want := range map[string]string{"--help": "labserver --scenario slow_body --listen 127.0.0.1:18765", "--version": "labserver " + control.Version()} {
		var out, errs bytes.Buffer
		code := Main([]string{flag}, strings.NewReader(""), &out, &errs, func(string) string { return "" })
		if code != exitOK || !strings.Contains(out.String(), want) || errs.Len() != 0 {
			t.Errorf("%s: exit code %d, %s%s", flag, code, out.String(), errs.String())
		}
	}
}
