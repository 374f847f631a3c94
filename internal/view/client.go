package view

import "github.com/deadlinelab/deadlinelab/internal/verdict"

// Client is the description of a series' client, nil for a variant of the bench.
func (in Input) Client(variant string) *verdict.Client {
	for i := range in.Summary.Clients {
		if in.Summary.Clients[i].Name == variant {
			return &in.Summary.Clients[i]
		}
	}
	return nil
}
