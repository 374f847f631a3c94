package scenario

import (
	"fmt"
	"slices"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
)

var clientKinds = []string{eventlog.ExecClient, eventlog.AdapterClient}

// checkClients judges the clients of a plan that run in processes of their own:
// cells name them by their names.
func (w *walker) checkClients(p *Plan) {
	for i, c := range p.Clients {
		at := fmt.Sprintf("clients[%d]", i)
		w.checkVariantName(at+".name", c.Name)
		if first := slices.IndexFunc(p.Clients, func(o Client) bool { return o.Name == c.Name }); first < i {
			w.reject(at+".name", quoted(c.Name)+" a second time", "each name once", "rename or remove it")
		}
		if !slices.Contains(clientKinds, c.Kind) {
			w.reject(at+".kind", quoted(c.Kind), "one of "+names(clientKinds), suggest(c.Kind, clientKinds, "choose one of these"))
		}
		for j, o := range c.Outcomes {
			if !eventlog.Outcome(o.Outcome).Known() {
				w.reject(fmt.Sprintf("%s.outcomes[%d].outcome", at, j), quoted(o.Outcome), "one of "+names(eventlog.Outcomes), "choose one of these")
			}
		}
	}
}
