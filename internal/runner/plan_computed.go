package runner

import "github.com/deadlinelab/deadlinelab/internal/predict"

// Computed computes every cell of the plan, in the order of Cells.
func (p *Plan) Computed() []predict.Computation {
	list := make([]predict.Computation, len(p.Cells))
	for i, c := range p.Cells {
		list[i] = predict.Compute(p.byName[c.Scenario], p.variants[c.Variant])
		if c.NotApplicable != "" {
			list[i].NotComputed = "not applicable: " + c.NotApplicable
		}
	}
	return list
}
