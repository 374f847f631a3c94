// Command stepclock makes a Go whose system clock is set back and forth all the
// time, without touching that of the machine, and checks a run made with it:
//
//	go run ./scripts/stepclock overlay DIR     # writes DIR/overlay.json, for go build -overlay
//	go run -overlay DIR/overlay.json ./scripts/stepclock prove
//	go run ./scripts/stepclock check RUN
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	if err := carryOut(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func carryOut(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "overlay":
		return writeOverlay(args[1])
	case len(args) == 1 && args[0] == "prove":
		return prove()
	case len(args) == 2 && args[0] == "check":
		return check(args[1])
	}
	return fmt.Errorf("%q: expected overlay DIR, prove, or check RUN", args)
}

// prove fails unless the clock of this very program is set back while time goes
// on: Round drops the monotonic reading, what is left is the wall clock.
func prove() error {
	start := time.Now()
	for time.Since(start) < 10*time.Second {
		before := time.Now()
		time.Sleep(20 * time.Millisecond)
		after := time.Now()
		if after.Round(0).Before(before.Round(0)) && after.After(before) {
			fmt.Printf("ok: the clock went from %s to %s in %s\n", before.Format(time.DateTime), after.Format(time.DateTime), after.Sub(before).Round(time.Millisecond))
			return nil
		}
	}
	return fmt.Errorf("the clock of this program was not set back for 10 s")
}
