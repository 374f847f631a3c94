package view

import (
	"reflect"

	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/verdict"
)

// reference says where something stands.
type reference struct{ What, Where string }

// References are where to look after a finding: what was expected of the client, and
// the client.
func (in Input) References(f verdict.Finding) []reference {
	var list []reference
	if s := in.ScenarioNamed(f.Series.Scenario); s != nil && f.Check.Requirement != "require" && f.Check.Requirement != "client" {
		list = append(list, reference{"written", in.written(s, f)})
	}
	if source := in.code(f.Series.Variant); source != "" {
		list = append(list, reference{"source", source})
	}
	return list
}

// written is where the expectation stands: in the scenario's own file, or in the
// plan of the run if that file is not here or says something else by now.
func (in Input) written(s *scenario.Scenario, f verdict.Finding) string {
	source := in.source(s.Name)
	if source == "" {
		return place(s, f)
	}
	own, err := scenario.Load(source)
	if err != nil {
		return place(s, f) + "; " + source + " cannot be read now"
	}
	if own.Name != s.Name || !reflect.DeepEqual(own.Expect[f.Series.Variant], s.Expect[f.Series.Variant]) {
		return place(s, f) + "; " + source + " says something else by now"
	}
	return place(own, f)
}

// place is where an expectation stands in a document that holds its scenario.
func place(s *scenario.Scenario, f verdict.Finding) string {
	for _, path := range []string{"expect." + f.Series.Variant + "." + f.Check.Requirement, "expect." + f.Series.Variant} {
		if _, ok := s.Pos[path]; ok {
			return s.At(path)
		}
	}
	return s.File
}

// code is the file that the client is written in, or the manifest that names it;
// empty for a client that is named by its command.
func (in Input) code(variant string) string {
	if c := in.Client(variant); c != nil {
		return c.Manifest
	}
	return in.VariantFiles[variant]
}
