//go:build unix

package labserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/control"
)

// childEnv makes the test binary a server of its own: client and server may
// then have as many open files each as the system allows.
const childEnv = "LABSERVER_TEST_CHILD"

const (
	childLab  = "lab"
	childBare = "bare"
)

// serveAsChild is the whole program when the environment says so.
func serveAsChild() bool {
	switch os.Getenv(childEnv) {
	case childLab:
		os.Exit(Main([]string{"--parent-stdin", "--control", loopbackAny}, os.Stdin, os.Stdout, os.Stderr, os.Getenv))
	case childBare:
		serveBare(heldFor)
	default:
		return false
	}
	return true
}

// serveBare prints where it listens and serves until standard input ends.
func serveBare(delay time.Duration) {
	l, err := net.Listen("tcp", loopbackAny)
	if err != nil {
		panic(err)
	}
	go http.Serve(l, bareAnswer(delay))
	fmt.Println(l.Addr())
	io.Copy(io.Discard, os.Stdin)
}

// startChild runs one and returns the first line it prints.
func startChild(b *testing.B, which string) string {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+which, control.TokenEnv+"="+testToken)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { stdin.Close(); cmd.Wait() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// bareChild is a bare handler in a process of its own.
func bareChild(b *testing.B) served { return served{startChild(b, childBare), "/op/op"} }

// labChild is a labserver in a process of its own, its events being read.
func labChild(b *testing.B, fault string, n int) served {
	var ready control.Ready
	if err := json.Unmarshal([]byte(startChild(b, childLab)), &ready); err != nil {
		b.Fatal(err)
	}
	c := control.NewClient(ready.Control, testToken, &http.Client{Transport: &http.Transport{}})
	s := setUp(b, c, fault, n)
	drained := readEvents(b, c)
	b.Cleanup(func() {
		if _, err := c.Delete(context.Background(), "x"); err != nil {
			b.Error(err)
		}
		<-drained
	})
	return s
}

// setUp creates experiment x with operations op0 to op<n-1>.
func setUp(b *testing.B, c *control.Client, fault string, n int) served {
	b.Helper()
	x, err := c.Create(context.Background(), control.ExperimentRequest{Name: "x", Scenario: upstream(fault)})
	if err != nil {
		b.Fatal(err)
	}
	ops := make([]control.OperationRequest, n)
	for i := range ops {
		ops[i] = op("op" + strconv.Itoa(i))
	}
	if _, err := c.Register(context.Background(), "x", ops); err != nil {
		b.Fatal(err)
	}
	return served{strings.TrimPrefix(x.DataURL, "http://"), "/op/op"}
}
