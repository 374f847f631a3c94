package fault

import (
	"fmt"
	"slices"
)

func init() {
	Register("sequence", func() Fault {
		return &Sequence{Steps: []Nested{{Type: "persistent_error", Fault: fresh("persistent_error")}, {Type: "healthy", Fault: fresh("healthy")}}}
	})
}

// Sequence gives exchange n of an operation to step n; the last step repeats.
type Sequence struct {
	Common `yaml:",inline"`
	Steps  []Nested `yaml:"steps"`
}

// Nested is a fault inside another one, written as it is by itself: a type and
// the keys of that type.
type Nested struct {
	Type  string
	Fault Fault
}

func fresh(name string) Fault {
	f, ok := New(name)
	if !ok {
		panic("fault: " + name + " is not registered")
	}
	return f
}

// StepOf is the fault that exchange n gets: f itself unless it is a sequence.
func StepOf(f Fault, n int) Fault {
	if s, ok := f.(*Sequence); ok {
		return s.step(n).Fault
	}
	return f
}

// TypeOf is the type of StepOf, given that of f.
func TypeOf(name string, f Fault, n int) string {
	if s, ok := f.(*Sequence); ok {
		return s.step(n).Type
	}
	return name
}

// Nestable lists the types that can be a step: those that act on an exchange,
// and on nothing around it.
func Nestable() []string {
	return slices.DeleteFunc(Names(), func(name string) bool {
		if name == "sequence" {
			return true
		}
		f, _ := New(name)
		return !nestable(f)
	})
}

func nestable(f Fault) bool {
	_, before := f.(ConnectionFault)
	_, nested := f.(*Sequence)
	return !before && !nested && f.Arrangement() == Arrangement{}
}

// Check returns what is wrong with the steps.
func (f *Sequence) Check() []Problem {
	if len(f.Steps) == 0 || len(f.Steps) > MaxSteps {
		return []Problem{{Field: "steps", Found: fmt.Sprintf("%d steps", len(f.Steps)), Want: fmt.Sprintf("1 to %d steps {type, …}", MaxSteps)}}
	}
	var list []Problem
	for i, s := range f.Steps {
		list = append(list, s.check(fmt.Sprintf("steps[%d].", i))...)
	}
	return list
}

func (s Nested) check(at string) []Problem {
	if s.Fault == nil {
		return []Problem{{Field: at + "type", Found: "nothing", Want: "the type of the step"}}
	}
	if !nestable(s.Fault) {
		return []Problem{{Field: at + "type", Found: fmt.Sprintf("%q", s.Type), Want: "a type that acts on one exchange alone"}}
	}
	list := s.Fault.Check()
	for i := range list {
		list[i].Field = at + list[i].Field
	}
	return list
}

// Serve hands the exchange to its step.
func (f *Sequence) Serve(ex Exchange) error { return f.step(ex.Number()).Fault.Serve(ex) }

func (f *Sequence) step(n int) Nested { return f.Steps[min(n, len(f.Steps))-1] }
