package main

import (
	"fmt"
	"os"

	"github.com/deadlinelab/deadlinelab/adapter"
)

// flaw is what is wrong with an adapter.
type flaw struct {
	hears, says func(m map[string]any) map[string]any
	stays       bool   // it does not end with its input
	lastWord    string // after shutdown
	status      int    // of its end
}

// flaws that `bench client check` has to find.
var flaws = map[string]flaw{
	"protocol": {says: when("hello", func(m map[string]any) { m["protocol"] = 2 })},
	"times":    {says: instantly()},
	"status": {says: when(adapter.OperationFinished, func(m map[string]any) {
		m["outcome"] = "success"
		delete(m, "last")
	})},
	"attempts": {says: func(m map[string]any) map[string]any {
		if n, ok := m["attempt"]; ok && n != nil && m["event"] != adapter.BackoffStarted && m["event"] != adapter.BackoffFinished {
			return nil
		}
		return m
	}},
	"cancel": {hears: without("cancel")},
	"slots":  {hears: when("hold_slot", func(m map[string]any) { m["client"] = "another" })},
	"pool":   {hears: when("operation", func(m map[string]any) { delete(m, "pool") })},
	"many":   oneAtATime(),
	"unknown": {hears: func(m map[string]any) map[string]any {
		if m["type"] == "of_a_later_version" {
			os.Exit(3)
		}
		return m
	}},
	// Limits of its own are no flaw: how long a client waits is measured, not checked.
	"impatient": {hears: when("operation", func(m map[string]any) { m["budget_ms"] = 700 })},
	"hasty":     {hears: when("operation", func(m map[string]any) { m["budget_ms"] = 60 })},

	"stays":  {hears: without("shutdown"), stays: true},
	"chatty": {lastWord: `{"type":"bye"}` + "\n"},
	"fails":  {status: 3},

	"garbage": {says: when(adapter.AttemptStarted, func(map[string]any) { fmt.Println("retrying…") })},
	"crashes": {hears: when("operation", func(map[string]any) {
		fmt.Fprintln(os.Stderr, "segmentation fault\n(core dumped)")
		os.Exit(139)
	})},
	"mute":    {hears: without("operation")},
	"endless": {hears: without("cancel"), says: without(adapter.OperationFinished)},
	"lies":    {says: when(adapter.OperationStarted, func(m map[string]any) { m["t_ns"] = 1 })},
}

// when changes the messages of a type, or the events of a kind.
func when(kind string, change func(m map[string]any)) func(m map[string]any) map[string]any {
	return func(m map[string]any) map[string]any {
		if m["type"] == kind || m["event"] == kind {
			change(m)
		}
		return m
	}
}

func without(kind string) func(m map[string]any) map[string]any {
	return func(m map[string]any) map[string]any {
		if m["type"] == kind || m["event"] == kind {
			return nil
		}
		return m
	}
}

// instantly makes everything happen at once: no wait is ever seen.
func instantly() func(m map[string]any) map[string]any {
	t0 := map[any]any{}
	return func(m map[string]any) map[string]any {
		if m["event"] == adapter.OperationStarted {
			t0[m["op"]] = m["t_ns"]
		}
		if m["type"] == "event" {
			m["t_ns"] = t0[m["op"]]
		}
		return m
	}
}

// oneAtATime keeps back an operation until the one before it has ended.
func oneAtATime() flaw {
	place := make(chan struct{}, 1)
	return flaw{
		hears: when("operation", func(map[string]any) { place <- struct{}{} }),
		says:  when(adapter.OperationFinished, func(map[string]any) { <-place }),
	}
}
