package extclient

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/nearest"
)

// known is what the exit statuses of some programs mean, by their own
// documentation. A status that says nothing about how the call ended (a bad
// option, no memory) is not in it.
var known = map[string]map[int]eventlog.Outcome{
	"curl": { // https://curl.se/libcurl/c/libcurl-errors.html
		5:  eventlog.ConnectError,     // could not resolve the proxy
		6:  eventlog.ConnectError,     // could not resolve the host
		7:  eventlog.ConnectError,     // could not connect
		8:  eventlog.TransportError,   // strange answer
		16: eventlog.TransportError,   // HTTP/2 framing
		18: eventlog.TransportError,   // fewer bytes than announced
		22: eventlog.UnexpectedStatus, // --fail
		28: eventlog.DeadlineExceeded, // --max-time; --connect-timeout ends so too
		35: eventlog.ConnectError,     // TLS handshake
		47: eventlog.UnexpectedStatus, // too many redirects
		52: eventlog.TransportError,   // nothing came back
		55: eventlog.TransportError,   // sending
		56: eventlog.TransportError,   // receiving
		60: eventlog.ConnectError,     // the certificate
		61: eventlog.InvalidData,      // the encoding
		65: eventlog.TransportError,   // a body that cannot be sent again
		92: eventlog.TransportError,   // HTTP/2 stream
		95: eventlog.TransportError,   // HTTP/3
		96: eventlog.ConnectError,     // QUIC
	},
	"wget": { // https://www.gnu.org/software/wget/manual/html_node/Exit-Status.html
		4: eventlog.TransportError, // the network, timeouts included
		5: eventlog.ConnectError,   // the certificate
		6: eventlog.UnexpectedStatus,
		7: eventlog.TransportError, // the protocol
		8: eventlog.UnexpectedStatus,
	},
	"timeout": {124: eventlog.DeadlineExceeded}, // of GNU coreutils
}

// Assignable are the outcomes that an exit status can stand for: success is
// exit status 0 with the operation's marker in the output, and the hard cap is
// the bench's own.
func Assignable() []string {
	var names []string
	for _, o := range eventlog.Outcomes {
		if o != eventlog.Success && o != eventlog.CapReached {
			names = append(names, string(o))
		}
	}
	return names
}

// ParseOutcome reads STATUS=OUTCOME.
func ParseOutcome(text string) (status int, outcome eventlog.Outcome, err error) {
	left, right, ok := strings.Cut(text, "=")
	if !ok {
		return 0, "", fmt.Errorf("%q: expected STATUS=OUTCOME, like 28=deadline_exceeded", text)
	}
	if status, err = parseStatus(left); err != nil {
		return 0, "", err
	}
	outcome, err = parseOutcome(right)
	return status, outcome, err
}

func parseStatus(text string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if errors.Is(err, strconv.ErrSyntax) || err == nil && n == 0 || n < 0 || n > 255 {
		return 0, fmt.Errorf("status %q: expected 1 to 255; 0 is success with the operation's marker in the output, else invalid_data", text)
	}
	return n, err
}

func parseOutcome(text string) (eventlog.Outcome, error) {
	names := Assignable()
	if !slices.Contains(names, text) {
		return "", fmt.Errorf("%q is no outcome of an exit status: expected one of %s%s", text, strings.Join(names, ", "), nearest.DidYouMean(text, names))
	}
	return eventlog.Outcome(text), nil
}

// OutcomesOf is what the exit statuses of a program mean: what is known of it,
// and over that what was said.
func OutcomesOf(program string, said map[int]eventlog.Outcome) map[int]eventlog.Outcome {
	all := map[int]eventlog.Outcome{}
	maps.Copy(all, known[programName(program)])
	maps.Copy(all, said)
	return all
}

// programName is the base name without .exe.
func programName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), ".exe")
}
