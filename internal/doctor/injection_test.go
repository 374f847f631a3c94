package doctor

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deadlinelab/deadlinelab/internal/clock"
	"github.com/deadlinelab/deadlinelab/internal/control"
	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/labserver"
	"github.com/deadlinelab/deadlinelab/internal/memnet"
)

// inLab runs test with an injector and a labserver over memory, in virtual time.
func inLab(t *testing.T, test func(t *testing.T, i *injector)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		net := memnet.New()
		s := labserver.New(labserver.Config{Listen: net.Listen, Clock: clock.New(), Token: "token", Version: "test"})
		base, err := s.Start("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		transport := &http.Transport{DialContext: net.DialContext}
		i := newInjector(control.NewClient(base, "token", &http.Client{Transport: transport}), net.DialContext)
		defer time.Sleep(time.Second)
		defer s.Close()
		defer transport.CloseIdleConnections()
		defer i.close()
		test(t, i)
	})
}

// none is what a labserver on an ideal machine gives.
func none(t *testing.T, name string, l *Lateness, n int, err error) {
	t.Helper()
	if err != nil || l == nil || l.N != n || l.Min != 0 || l.Max != 0 {
		t.Errorf("%s: %+v, %v", name, l, err)
	}
}

// Virtual time has no lateness, so that all that is counted is the schedule.
func TestAnIdealLabserverIsNeverLate(t *testing.T) {
	inLab(t, func(t *testing.T, i *injector) {
		single, err := i.single(t.Context(), time.Second)
		none(t, "single", single, int(time.Second/singleDelay), err)
		written, seen, err := i.spread(t.Context(), 3)
		none(t, "spread", written, 4*InFlight, err)
		none(t, "seen", seen, 3*InFlight, err)
		burst, err := i.burst(t.Context(), 2)
		none(t, "burst", burst, 2*InFlight, err)
	})
}

// A labserver that refuses is an error, not an absence of samples.
func TestAnInjectorThatCannotAsk(t *testing.T) {
	inLab(t, func(t *testing.T, i *injector) {
		i.control = control.NewClient("http://127.0.0.1:1", "token", i.http)
		if l, err := i.single(t.Context(), time.Second); err == nil || l != nil {
			t.Errorf("%+v, %v", l, err)
		}
	})
}

func TestReleasedLateCountsFromTheGatesInstant(t *testing.T) {
	events := []eventlog.Event{
		{Kind: eventlog.ServerBodyWritten, Exchange: 1, TNs: 1e6},
		{Kind: eventlog.GateReleased, Exchange: 1, TNs: 6e6, DueNs: 5e6},
		{Kind: eventlog.GateReleased, Exchange: 2, TNs: 7e6, DueNs: 5e6},
		{Kind: eventlog.ServerBodyWritten, Exchange: 2, TNs: 8e6},
		{Kind: eventlog.ServerBodyWritten, Exchange: 1, TNs: 9e6},
	}
	if got := releasedLate(events); len(got) != 2 || got[0] != 3 || got[1] != 4 {
		t.Errorf("%v", got)
	}
}
