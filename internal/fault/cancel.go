package fault

import "github.com/deadlinelab/deadlinelab/internal/eventlog"

// Cancel is when the caller gives up: after an event of its operation, not
// after a time on the clock, so that the cancel always meets the same state.
type Cancel struct {
	TriggerEvent      eventlog.Kind `yaml:"trigger_event"`
	DelayAfterEventMs float64       `yaml:"delay_after_event_ms"`
}

func (c Cancel) check() []Problem {
	return problems(checkTrigger("trigger_event", c.TriggerEvent), checkDelay("delay_after_event_ms", c.DelayAfterEventMs))
}

func (c Cancel) arrangement() Arrangement {
	return Arrangement{CancelOn: c.TriggerEvent, CancelAfter: ms(c.DelayAfterEventMs)}
}
