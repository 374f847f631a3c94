// Package bench builds the bench and runs its commands, as a user would.
package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Bench is a built binary.
type Bench struct {
	Path string
	Root string // of the repository
}

// Build builds the binary into dir; root is the repository.
func Build(root, dir string) (Bench, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return Bench{}, err
	}
	b := Bench{Path: filepath.Join(dir, "bench"), Root: root}
	cmd := exec.Command("go", "build", "-o", b.Path, "./cmd/bench")
	cmd.Dir = root
	return b, explained(cmd.CombinedOutput())
}

func explained(output []byte, err error) error {
	if err != nil {
		return fmt.Errorf("%w: %s", err, output)
	}
	return nil
}

// Run runs a command in dir and returns its exit code and output.
func (b Bench) Run(dir string, args ...string) (int, string, error) {
	cmd := exec.Command(b.Path, args...)
	cmd.Dir = dir
	output, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		return -1, string(output), err
	}
	return cmd.ProcessState.ExitCode(), string(output), nil
}

// Served is a running `bench serve`.
type Served struct {
	URL    string // with a slash at its end
	cmd    *exec.Cmd
	stderr bytes.Buffer
}

// Serve starts `bench serve` in dir on a free port and waits for its address.
func (b Bench) Serve(dir string, args ...string) (*Served, error) {
	s := &Served{cmd: exec.Command(b.Path, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)}
	s.cmd.Dir, s.cmd.Stderr = dir, &s.stderr
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s.cmd.Stdout = write
	err = s.cmd.Start()
	write.Close()
	if err != nil {
		read.Close()
		return nil, err
	}
	line, err := bufio.NewReader(read).ReadString('\n')
	go func() { _, _ = io.Copy(io.Discard, read); read.Close() }()
	if err != nil {
		return nil, fmt.Errorf("bench serve printed no address: %w: %w", err, explained(s.stderr.Bytes(), s.cmd.Wait()))
	}
	s.URL = strings.TrimSpace(strings.TrimPrefix(line, "serving "))
	return s, nil
}

// Stop interrupts it, as Ctrl-C does, and returns its exit code and what it
// wrote to standard error.
func (s *Served) Stop() (int, string, error) {
	if err := s.cmd.Process.Signal(syscall.SIGINT); err != nil {
		return -1, "", err
	}
	ended := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(ended) }()
	select {
	case <-ended:
		return s.cmd.ProcessState.ExitCode(), s.stderr.String(), nil
	case <-time.After(20 * time.Second):
		_ = s.cmd.Process.Kill()
		<-ended
		return -1, s.stderr.String(), fmt.Errorf("bench serve did not end within 20 s of its interrupt")
	}
}
