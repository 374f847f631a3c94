package extclient

import (
	"context"
	"os"
	"strings"
	"time"
)

// Limits of what a program says of its version.
const (
	versionWithin = 2 * time.Second
	versionLength = 200 // characters
)

// version is the first line that a program prints for --version; empty if it
// fails, says nothing or takes too long.
func (x *program) version(ctx context.Context, of string) string {
	ctx, cancel := context.WithTimeout(ctx, versionWithin)
	defer cancel()
	p := newProcess([]string{of, "--version"}, environment(os.Environ(), x.mark), "", mostVersion)
	if err := p.start(x.starter, func(time.Time) {}); err != nil {
		return ""
	}
	why := x.await(ctx, p, x.mark)
	p.drain()
	if why != nil || p.cmd.ProcessState.ExitCode() != 0 {
		return ""
	}
	return withoutName(firstLine(p.stdout.head), programName(of))
}

// withoutName takes the program's name off the front: it stands beside the
// version anyway.
func withoutName(line, name string) string {
	if rest, ok := strings.CutPrefix(line, name+" "); ok {
		return strings.TrimSpace(rest)
	}
	return line
}

// mostVersion bounds what is read of it, in bytes.
const mostVersion = 1 << 20

// firstLine is the first line that is not blank, cut to its length.
func firstLine(text []byte) string {
	for line := range strings.Lines(strings.ToValidUTF8(string(text), "\uFFFD")) {
		if line = strings.TrimSpace(line); line != "" {
			return string([]rune(line)[:min(versionLength, len([]rune(line)))])
		}
	}
	return ""
}
