package timeline_test

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

var allKinds = []eventlog.Kind{eventlog.LogOpened, eventlog.NoiseSampled, eventlog.EventsLost, eventlog.OperationStarted,
	eventlog.AdmissionWaitStarted, eventlog.AdmissionAcquired, eventlog.AdmissionReleased, eventlog.AttemptStarted,
	eventlog.ConnectionWaitStarted, eventlog.ConnectionAcquired, eventlog.DNSStarted, eventlog.DNSFinished, eventlog.ConnectStarted,
	eventlog.ConnectFinished, eventlog.TLSStarted, eventlog.TLSFinished, eventlog.RequestWritten, eventlog.HeadersReceived,
	eventlog.BodyFinished, eventlog.AttemptFinished, eventlog.AttemptTimedOut, eventlog.AttemptCancelled, eventlog.AttemptFailed,
	eventlog.BackoffStarted, eventlog.BackoffFinished, eventlog.DeadlineFired, eventlog.ExternalCancelRequested,
	eventlog.CancellationObserved, eventlog.OperationFinished, eventlog.ConnectionAccepted, eventlog.ServerRequestStarted,
	eventlog.FaultArmed, eventlog.FaultFired, eventlog.GateHeld, eventlog.GateReleased, eventlog.GateExpired,
	eventlog.ServerHeadersPrepared, eventlog.ServerHeadersWritten, eventlog.ServerBodyWritten, eventlog.ServerBodyFinished,
	eventlog.ServerClientGone, eventlog.ServerHandlerFinished, eventlog.ConnectionClosed, eventlog.Unscripted, "unheard_of"}

// arbitrary reads any bytes as events of both sides, 16 bytes each: the kinds in
// any order, with any times, numbers and owners.
func arbitrary(data []byte) (in timeline.Input) {
	for ; len(data) >= 16; data = data[16:] {
		e := arbitraryEvent(data[:16])
		if data[1]&1 == 0 {
			in.Client = append(in.Client, e)
		} else {
			in.Server = append(in.Server, e)
		}
	}
	if len(data) >= 2 {
		in.OffsetNs, in.BoundNs = int64(data[0])<<55, int64(data[1])
	}
	return in
}

func arbitraryEvent(b []byte) eventlog.Event {
	bits := binary.LittleEndian.Uint64(b[8:])
	e := eventlog.Event{Kind: allKinds[int(b[0])%len(allKinds)], Op: []string{"", "a", "b", "c"}[b[1]>>1&3], Exp: []string{"", "x"}[b[1]>>3&1],
		Seq: uint64(b[2]), Attempt: int(b[3]%5) - 1, Exchange: int(b[4]%5) - 1, Conn: []string{"", "c1", "c2"}[b[5]%3],
		TNs: int64(bits >> (b[6] % 64)), Outcome: append(eventlog.Outcomes, "")[int(b[7])%(len(eventlog.Outcomes)+1)]}
	if b[1]&16 != 0 {
		e.DueNs, e.LateMs, e.PlannedMs = int64(bits), math.Float64frombits(bits), math.Float64frombits(bits)
	}
	if b[1]&32 != 0 {
		e.Start = &eventlog.Start{Scenario: "s", Variant: "v", Phase: eventlog.Measured, BudgetMs: e.LateMs, DeadlineNs: e.DueNs}
		makeExternal(e.Start, b[6])
	}
	if b[6]&32 != 0 {
		e.AtNs = int64(bits >> (b[5] % 64))
	}
	return e
}

// makeExternal makes it the start of a client in another process.
func makeExternal(start *eventlog.Start, flags byte) {
	start.Client = []string{"", eventlog.ExecClient, eventlog.AdapterClient, "?"}[flags>>6]
	start.Blind = flags&16 != 0
	if flags&8 != 0 {
		start.Phase = eventlog.Startup
	}
}

// Merge never panics, and what it returns can always be written: whatever the
// logs hold, no figure is NaN and the parts add up or are reported.
func FuzzMerge(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("0123456789abcdef0123456789abcdef0123456789abcdef??"))
	seed := []byte{}
	for i := range allKinds {
		for _, side := range []byte{2, 3, 34, 51} {
			seed = append(seed, byte(i), side, byte(i), 2, 2, 1, 40, byte(i), 0, 0, 0, byte(i), byte(i), 1, 0, 0)
		}
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, data []byte) {
		run := timeline.Merge(arbitrary(data))
		series := timeline.Summarize(run, nil)
		if _, err := json.Marshal(series); err != nil {
			t.Fatal(err)
		}
		if err := timeline.WriteOperations(io.Discard, run.Operations); err != nil {
			t.Fatal(err)
		}
		for _, op := range run.Operations {
			run.Entries(op.Op, "a", "b")
		}
		for _, p := range run.Problems {
			if p.Requirement == timeline.PartsAddUp {
				t.Fatalf("parts can always add up: %v", p)
			}
		}
	})
}
