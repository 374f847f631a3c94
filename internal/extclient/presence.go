package extclient

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Presence tells whether a client of a manifest can be started on this machine.
type Presence struct {
	Missing []string // what it needs and is not here; none = it can be started
	Fix     string   // what to do about it
}

// Presences looks for what each client needs, in the order of the manifest: its
// program, what `needs` names, the Python modules of `imports`. No client is
// started, and no version is looked at.
func (m *Manifest) Presences(ctx context.Context) []Presence {
	list := make([]Presence, len(m.Clients))
	modules := m.lookForModules(ctx)
	for i, e := range m.Clients {
		var programs []string
		for _, need := range e.allNeeds() {
			missing := lookFor(need)
			if missing == "" {
				continue
			}
			list[i].Missing = append(list[i].Missing, missing)
			if !isPath(need) {
				programs = append(programs, need)
			}
		}
		list[i].Missing = append(list[i].Missing, modules[e.imports()]...)
		list[i].Fix = m.fix(list[i].Missing, programs)
	}
	return list
}

// allNeeds are the programs and files of an entry, each once.
func (e *Entry) allNeeds() []string {
	needs := []string{e.Argv[0]}
	for _, need := range append([]string{e.Program}, e.Needs...) {
		if need != "" && need != e.Argv[0] {
			needs = append(needs, need)
		}
	}
	return needs
}

// isPath tells a file from the name of a program, which is looked for in PATH.
func isPath(need string) bool { return strings.ContainsAny(need, `/\`) }

// lookFor says what of a need is not there; "" = it is.
func lookFor(need string) string {
	if isPath(need) {
		if _, err := os.Stat(need); err != nil {
			return need
		}
		return ""
	}
	if _, err := exec.LookPath(need); err != nil && !errors.Is(err, exec.ErrDot) {
		return need + " (in PATH)"
	}
	return ""
}

// fix is what brings the missing here. Programs of PATH are not brought by what
// installs the libraries.
func (m *Manifest) fix(missing, programs []string) string {
	install := "install " + strings.Join(programs, ", ")
	switch {
	case len(missing) == 0:
		return ""
	case len(programs) == 0 && m.Install == "":
		return fmt.Sprintf("install it; %s names no command for it (install:)", m.File)
	case len(programs) == 0:
		return m.Install
	case m.Install == "":
		return install
	}
	return install + ", then " + m.Install
}

// imported are modules and the Python that has to find them.
type imported struct{ python, modules string }

func (e *Entry) imports() imported { return imported{e.Argv[0], strings.Join(e.Imports, " ")} }

// lookForModules asks each Python once for each set of modules.
func (m *Manifest) lookForModules(ctx context.Context) map[imported][]string {
	found := map[imported][]string{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for ask := range m.imported() {
		all.Go(func() {
			missing := ask.missing(ctx)
			mu.Lock()
			defer mu.Unlock()
			found[ask] = missing
		})
	}
	all.Wait()
	return found
}

func (m *Manifest) imported() map[imported]bool {
	asks := map[imported]bool{}
	for _, e := range m.Clients {
		if len(e.Imports) > 0 {
			asks[e.imports()] = true
		}
	}
	return asks
}

// pythonLooks prints the modules that Python does not find; it imports none.
const pythonLooks = `import importlib.util, sys
print(*(m for m in sys.argv[1:] if importlib.util.find_spec(m) is None))`

const pythonWithin = 5 * time.Second

// missing are the modules that are not there. A Python that cannot be asked is
// said to be missing already, or has none of them.
func (i imported) missing(ctx context.Context) []string {
	if lookFor(i.python) != "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, pythonWithin)
	defer cancel()
	modules := strings.Fields(i.modules)
	look := exec.CommandContext(ctx, i.python, append([]string{"-c", pythonLooks}, modules...)...)
	look.WaitDelay = time.Second // for a wrapper that left its output to a child
	said, err := look.Output()
	if err == nil {
		modules = strings.Fields(string(said))
	}
	for n, module := range modules {
		modules[n] = fmt.Sprintf("module %s (of %s)", module, i.python)
	}
	return modules
}
