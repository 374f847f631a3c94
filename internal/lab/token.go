package lab

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/regular"
)

// Elsewhere are the flags that name a labserver which runs elsewhere.
type Elsewhere struct {
	Labserver string // URL of its control API; "" = start one
	TokenFile string // "" = the token is in the environment
}

// Upstream reads them. The token is the file's, else the environment's.
func (o Elsewhere) Upstream(s console.Streams) (UpstreamOptions, error) {
	if o.TokenFile == "" {
		return UpstreamOptions{url: o.Labserver, token: s.Getenv(control.TokenEnv)}, nil
	}
	if o.Labserver == "" {
		return UpstreamOptions{}, exit.Usagef("add --labserver URL, or leave --token-file out", "--token-file is the token of --labserver, which is missing")
	}
	token, note, err := readToken(o.TokenFile)
	if err != nil {
		return UpstreamOptions{}, exit.Usagef("write the token that labserver got in "+control.TokenEnv+" into it", "--token-file: %w", err)
	}
	if note != "" {
		fmt.Fprintln(s.Err, "note:", note)
	}
	return UpstreamOptions{url: o.Labserver, token: token}, nil
}

// maxToken bounds a token: a longer file is not one.
const maxToken = 4 << 10

// readToken is the one line of a file; note says who else may read it.
func readToken(path string) (token, note string, err error) {
	text, err := regular.Read(path, maxToken)
	if err != nil {
		return "", "", fmt.Errorf("expected a file with one token: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", "", err
	}
	token = strings.TrimSpace(string(text))
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return "", "", fmt.Errorf("%s: found %d words, expected one token", path, len(strings.Fields(token)))
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		note = fmt.Sprintf("--token-file %s can be read by others (mode %04o): chmod 600 %s", path, mode, path)
	}
	return token, note, nil
}
