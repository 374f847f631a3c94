//go:build unix

package labserver

import (
	"io"
	"os"
	"syscall"
	"testing"
)

func TestInterrupt(t *testing.T) {
	p := start(nil, "--control", "127.0.0.1:0")
	go io.Copy(io.Discard, p.stderr)
	if _, err := p.stdout.ReadBytes('\n'); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code := <-p.code; code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
	p.stdin.Close()
}
