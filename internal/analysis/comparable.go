package analysis

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/compare"
	"github.com/deadlinelab/deadlinelab/internal/rundir"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/timeline"
	"gopkg.in/yaml.v3"
)

// Comparable is what a comparison needs to know of a run.
func (a *Run) Comparable(name string) *compare.Run {
	r := &compare.Run{Name: name, Series: timeline.Summarize(a.Merged, nil), Operations: a.Merged.Operations, NoiseMs: a.Merged.NoiseMs,
		Facts: a.facts(), Settings: map[string][]compare.Setting{}}
	for _, p := range a.mismatches {
		r.Mismatches = append(r.Mismatches, p.String())
	}
	if a.run.Status != rundir.Complete {
		r.Incomplete = a.run.Why
		if r.Incomplete == "" {
			r.Incomplete = "bench did not get to the end"
		}
	}
	for _, s := range a.plan.Scenarios {
		r.Settings[s.Name] = settings(s)
	}
	return r
}

// facts are the circumstances that move times without a change in the client.
func (a *Run) facts() []compare.Setting {
	e := a.run.Environment
	return append([]compare.Setting{
		{Key: "go", Value: e.Go}, {Key: "system", Value: e.OS + "/" + e.Arch}, {Key: "kernel", Value: e.Kernel},
		{Key: "cpus", Value: strconv.Itoa(e.CPUs)}, {Key: "gomaxprocs", Value: strconv.Itoa(e.MaxProcs)},
		{Key: "parallel", Value: strconv.Itoa(a.run.Parallel)},
	}, a.clients()...)
}

// clients are what the clients in processes of their own are made of.
func (a *Run) clients() (list []compare.Setting) {
	for _, c := range a.Summary.Clients {
		parts := slices.DeleteFunc([]string{c.Made(), c.Set(), c.Called()}, func(p string) bool { return p == "" })
		list = append(list, compare.Setting{Key: "client " + c.Name + ":", Value: strings.Join(parts, "; ")})
	}
	return list
}

// settings are a scenario's keys in the order of its file, less the words about
// it and what it expects. One that cannot be written has none.
func settings(s *scenario.Scenario) (list []compare.Setting) {
	var doc yaml.Node
	data, err := scenario.Marshal(s)
	if err != nil || yaml.Unmarshal(data, &doc) != nil || len(doc.Content) == 0 {
		return nil
	}
	eachKey(doc.Content[0], "", func(key string, value *yaml.Node) {
		switch {
		case slices.Contains(unmeasured, key):
		case value.Kind == yaml.MappingNode:
			eachKey(value, key+".", func(key string, value *yaml.Node) { list = append(list, setting(key, value)) })
		default:
			list = append(list, setting(key, value))
		}
	})
	return list
}

// unmeasured are the keys of a scenario that no operation depends on.
var unmeasured = []string{"question", "lesson", "rung", "contrast", "variants", "expect"}

func eachKey(mapping *yaml.Node, above string, do func(key string, value *yaml.Node)) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		do(above+mapping.Content[i].Value, mapping.Content[i+1])
	}
}

func setting(key string, value *yaml.Node) compare.Setting {
	data, err := yaml.Marshal(value)
	if err != nil {
		return compare.Setting{Key: key, Value: err.Error()}
	}
	return compare.Setting{Key: key, Value: strings.TrimSpace(string(data))}
}
