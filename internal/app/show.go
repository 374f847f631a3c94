package app

import (
	"errors"
	"fmt"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/nearest"
	"github.com/deadlinelab/deadlinelab/internal/report"
	"github.com/deadlinelab/deadlinelab/internal/scenario"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Show prints one variant or scenario, or two variants side by side.
func Show(s console.Streams, names []string, width int) error {
	width, err := s.Width(width, 160, 400)
	if err != nil {
		return err
	}
	if len(names) == 1 {
		return showOne(s, names[0])
	}
	var sources [2]string
	var titles [2]string
	for i, name := range names {
		v, ok := variants.Find(name)
		if !ok {
			return exit.Usagef("two names are two variants, side by side: `bench list --variants` shows them", "%q is not a variant%s", name, nearest.DidYouMean(name, lab.VariantNames()))
		}
		if sources[i], err = variants.Source(v.Name); err != nil {
			return err
		}
		titles[i] = strings.TrimPrefix(v.Label+" ", v.Name+" ") + v.Name // who has no letter has its name for a label
	}
	return report.SideBySide(s.Text(), titles[0], sources[0], titles[1], sources[1], width)
}

func showOne(s console.Streams, name string) error {
	if v, ok := variants.Find(name); ok {
		source, err := variants.Source(v.Name)
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(s.Out, source)
		return err
	}
	sc, err := scenario.Load(name)
	if err != nil && !errors.Is(err, scenario.ErrUnknown) {
		return exit.Usagef("", "%w", err)
	}
	if err != nil {
		candidates := append(lab.VariantNames(), lab.ScenarioNames()...)
		return exit.Usagef("`bench list` and `bench list --variants` show the names", "%q is neither a variant nor a scenario%s", name, nearest.DidYouMean(name, candidates))
	}
	text, err := scenario.Marshal(sc)
	if err != nil {
		return err
	}
	_, err = s.Out.Write(text)
	return err
}
