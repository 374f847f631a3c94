package report

import (
	"reflect"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
)

// reference says where something stands.
type reference struct{ what, where string }

// references are where to look after a finding: what was expected of the client, and
// the client.
func (in Input) references(f finding) []reference {
	var list []reference
	if s := in.scenarioNamed(f.series.Scenario); s != nil && f.check.Requirement != "require" && f.check.Requirement != "client" {
		list = append(list, reference{"written", in.written(s, f)})
	}
	if source := in.code(f.series.Variant); source != "" {
		list = append(list, reference{"source", source})
	}
	return list
}

// written is where the expectation stands: in the scenario's own file, or in the
// plan of the run if that file is not here or says something else by now.
func (in Input) written(s *scenario.Scenario, f finding) string {
	source := in.source(s.Name)
	if source == "" {
		return place(s, f)
	}
	own, err := scenario.Load(source)
	if err != nil {
		return place(s, f) + "; " + source + " cannot be read now"
	}
	if own.Name != s.Name || !reflect.DeepEqual(own.Expect[f.series.Variant], s.Expect[f.series.Variant]) {
		return place(s, f) + "; " + source + " says something else by now"
	}
	return place(own, f)
}

// place is where an expectation stands in a document that holds its scenario.
func place(s *scenario.Scenario, f finding) string {
	for _, path := range []string{"expect." + f.series.Variant + "." + f.check.Requirement, "expect." + f.series.Variant} {
		if _, ok := s.Pos[path]; ok {
			return s.At(path)
		}
	}
	return s.File
}

// code is the file that the client is written in, or the manifest that names it;
// empty for a client that is named by its command.
func (in Input) code(variant string) string {
	if c := in.client(variant); c != nil {
		return c.Manifest
	}
	return in.VariantFiles[variant]
}
