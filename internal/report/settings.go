package report

import "github.com/deadlinelab/deadlinelab/internal/scenario"

// Settings are a scenario's in words: what the caller asked for with the limits
// inside, and what the upstream does.
func Settings(s *scenario.Scenario) (client, upstream string) {
	return plain(clientText(s)), upstreamText(s)
}
