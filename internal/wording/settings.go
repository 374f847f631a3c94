package wording

import (
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/textui"
)

// Settings are a scenario's in words: what the caller asked for with the limits
// inside, and what the upstream does.
func Settings(s *scenario.Scenario) (client, upstream string) {
	return textui.Plain(ClientText(s)), UpstreamText(s)
}

// ClientText is what the caller asked for and the limits inside.
func ClientText(s *scenario.Scenario) string {
	op := s.Operation
	parts := []string{fmt.Sprintf("budget %g ms", op.BudgetMs), textui.CountOrNo(op.MaxAttempts, "attempt")}
	if op.MaxAttempts > 1 {
		parts[1] = "up to " + parts[1] + ", pauses " + numbers(op.BackoffMs) + " ms"
	}
	if limits := limitsText(s.Attempt); limits != "" {
		parts = append(parts, "attempt limits "+limits)
	}
	if s.Slots > 0 {
		parts = append(parts, textui.CountOrNo(s.Slots, "slot"))
	}
	if s.Pool != nil && (s.Pool.Limit > 0 || s.Pool.LimitPerHost > 0) {
		parts = append(parts, "pool of "+textui.CountOrNo(max(s.Pool.Limit, s.Pool.LimitPerHost), "connection"))
	}
	return strings.Join(parts, "; ")
}

func numbers(list []float64) string {
	var parts []string
	for _, n := range list {
		parts = append(parts, fmt.Sprintf("%g", n))
	}
	return strings.Join(parts, ", ")
}

func limitsText(l scenario.Limits) string {
	var parts []string
	add := func(name string, ms *float64) {
		if ms != nil {
			parts = append(parts, fmt.Sprintf("%s %g", name, *ms))
		}
	}
	add("total_ms", l.TotalMs)
	add("connect_ms", l.ConnectMs)
	add("sock_connect_ms", l.SockConnectMs)
	add("sock_read_ms", l.SockReadMs)
	return strings.Join(parts, ", ")
}
