package fault

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

// Limits of every fault: above them a scenario is refused.
const (
	MaxDelayMs   = 120_000  // one delay, and the whole length of a slow body
	MaxBodyBytes = 64 << 20 // one response body, and one request body that is read
	MaxHeadBytes = 1 << 20  // one response head
	MaxChunks    = 65_536   // pieces of a slow body
	MaxSteps     = 1_000    // steps of one script
)

// triggers are the events of an operation that a cancel can follow: each
// happens before the operation has ended.
var triggers = []eventlog.Kind{
	eventlog.OperationStarted, eventlog.AdmissionWaitStarted, eventlog.AdmissionAcquired,
	eventlog.AttemptStarted, eventlog.ConnectionWaitStarted, eventlog.ConnectionAcquired,
	eventlog.DNSStarted, eventlog.DNSFinished, eventlog.ConnectStarted, eventlog.ConnectFinished,
	eventlog.TLSStarted, eventlog.TLSFinished, eventlog.RequestWritten, eventlog.HeadersReceived,
	eventlog.AttemptTimedOut, eventlog.AttemptFailed, eventlog.BackoffStarted, eventlog.BackoffFinished,
	eventlog.ServerRequestStarted, eventlog.FaultArmed, eventlog.FaultFired,
	eventlog.ServerHeadersPrepared, eventlog.ServerHeadersWritten, eventlog.ServerBodyWritten,
}

// problems collects the checks that found something.
func problems(found ...*Problem) []Problem {
	var list []Problem
	for _, p := range found {
		if p != nil {
			list = append(list, *p)
		}
	}
	return list
}

func checkDelay(field string, v float64) *Problem {
	if v >= 0 && v <= MaxDelayMs { // false for NaN as well
		return nil
	}
	return &Problem{Field: field, Found: number(v), Want: fmt.Sprintf("0 to %d milliseconds", MaxDelayMs)}
}

func checkStatus(field string, v int) *Problem {
	if v >= 200 && v <= 598 {
		return nil
	}
	return &Problem{Field: field, Found: fmt.Sprint(v), Want: "an HTTP status from 200 to 598 (599 means: not scripted)"}
}

func checkCount(field string, v, most int) *Problem {
	if v >= 1 && v <= most {
		return nil
	}
	return &Problem{Field: field, Found: fmt.Sprint(v), Want: fmt.Sprintf("1 to %d", most)}
}

func checkTrigger(field string, k eventlog.Kind) *Problem {
	if slices.Contains(triggers, k) {
		return nil
	}
	names := make([]string, len(triggers))
	for i, t := range triggers {
		names[i] = string(t)
	}
	return &Problem{Field: field, Found: fmt.Sprintf("%q", k), Want: "one of " + strings.Join(names, ", ")}
}

func number(v float64) string {
	if math.IsNaN(v) {
		return "NaN"
	}
	return fmt.Sprintf("%g", v)
}

// checkBodyAllowed refuses the statuses that never have a body.
func checkBodyAllowed(field string, v int) *Problem {
	if v != http.StatusNoContent && v != http.StatusNotModified {
		return nil
	}
	return &Problem{Field: field, Found: fmt.Sprint(v), Want: "a status that can have a body"}
}

func checkBetween(field string, v, least, most int) *Problem {
	if v >= least && v <= most {
		return nil
	}
	return &Problem{Field: field, Found: fmt.Sprint(v), Want: fmt.Sprintf("%d to %d", least, most)}
}

// checkSpan bounds n bytes in pieces, each an interval after the one before.
func checkSpan(field string, n, piece int, intervalMs float64) *Problem {
	if n < 1 || piece < 1 || checkDelay("", intervalMs) != nil {
		return nil // reported by itself
	}
	count := inPieces(n, piece)
	if whole := float64(count-1) * intervalMs; count <= MaxChunks && whole <= MaxDelayMs {
		return nil
	}
	return &Problem{Field: field, Found: fmt.Sprintf("%d pieces, one each %g ms", count, intervalMs),
		Want: fmt.Sprintf("at most %d pieces and %d ms in all", MaxChunks, MaxDelayMs)}
}
