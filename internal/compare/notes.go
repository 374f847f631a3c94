package compare

import (
	"fmt"
	"strings"
)

// shownDifferences bounds how many settings one note names.
const shownDifferences = 3

// notes say what else differs between the runs than what was measured.
func notes(old, new *Run, p pairing) []string {
	list := []string{}
	if d := differences(old.Facts, new.Facts); d != "" {
		list = append(list, "the runs were made differently: "+d)
	}
	list = append(list, startups(p)...)
	seen := map[string]bool{}
	for _, both := range p.both {
		name := both[0].Scenario
		if seen[name] {
			continue
		}
		seen[name] = true
		if d := differences(old.Settings[name], new.Settings[name]); d != "" {
			list = append(list, fmt.Sprintf("scenario %s is another one now: %s", name, d))
		}
	}
	return list
}

// startups say what the times of clients that are a process per operation are
// net of.
func startups(p pairing) (list []string) {
	said := map[string]bool{}
	for _, both := range p.both {
		for i, which := range []string{"old", "new"} {
			s := both[i]
			if s.StartupMs == nil || said[which+s.Variant] {
				continue
			}
			said[which+s.Variant] = true
			list = append(list, fmt.Sprintf("%s %s: times are net of a start-up of up to %.1f ms (measured with the same command under healthy)", which, named(s.Label, s.Variant), s.StartupMs.Median))
		}
	}
	return list
}

// differences lists settings with another value, in the order of old, then
// those that only new has.
func differences(old, new []Setting) string {
	before, after := valuesOf(old), valuesOf(new)
	var list []string
	for _, s := range old {
		if v, ok := after[s.Key]; !ok {
			list = append(list, fmt.Sprintf("%s %s → nothing", s.Key, s.Value))
		} else if v != s.Value {
			list = append(list, fmt.Sprintf("%s %s → %s", s.Key, s.Value, v))
		}
	}
	for _, s := range new {
		if _, ok := before[s.Key]; !ok {
			list = append(list, fmt.Sprintf("%s nothing → %s", s.Key, s.Value))
		}
	}
	if more := len(list) - shownDifferences; more > 0 {
		list = append(list[:shownDifferences], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ")
}

func valuesOf(list []Setting) map[string]string {
	values := make(map[string]string, len(list))
	for _, s := range list {
		values[s.Key] = s.Value
	}
	return values
}
