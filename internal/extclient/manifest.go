package extclient

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/nearest"
	"github.com/deadlinelab/deadlinelab/internal/regular"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// Manifest is a file that names clients.
type Manifest struct {
	File    string
	Install string // command that builds and installs what the clients need; empty = none is known
	Clients []Entry
}

// Entry is one client of a manifest.
type Entry struct {
	Name          string            `yaml:"name"`
	Pair          string            `yaml:"pair"`          // what this set-up and another one of the same client have in common
	Kind          string            `yaml:"kind"`          // exec or adapter
	Command       string            `yaml:"command"`       // one line, split as on the command line of the bench
	Program       string            `yaml:"program"`       // exec: the program whose version and exit statuses count, where it is not the command's first word
	Outcomes      map[string]string `yaml:"outcomes"`      // exec: what exit statuses mean, over what is known of the program
	Documentation string            `yaml:"documentation"` // URL of the page that the set-up follows
	Settings      map[string]string `yaml:"settings"`      // exec: what is set; an adapter says it itself
	Fixes         string            `yaml:"mends"`         // a sentence: which setting fixes what this one misses
	Study         string            `yaml:"study"`         // letter of the published study's client that this one is
	Needs         []string          `yaml:"needs"`         // programs, and files by a path with a slash, that the command needs besides its first word
	Imports       []string          `yaml:"imports"`       // modules that the command's first word, a Python, has to find

	Line         int                      `yaml:"-"` // where it stands in the file
	Argv         []string                 `yaml:"-"` // of Command
	ExitOutcomes map[int]eventlog.Outcome `yaml:"-"` // of Outcomes
}

// manifestKeys are the keys of an entry.
var manifestKeys = []string{"name", "pair", "kind", "command", "program", "outcomes", "documentation", "settings", "mends", "study", "needs", "imports"}

// maxManifest bounds a manifest, in bytes.
const maxManifest = 1 << 20

// ReadManifest reads and checks a manifest. The error joins every problem, each
// with its file:line.
func ReadManifest(file string) (*Manifest, error) {
	data, err := regular.Read(file, maxManifest)
	if err != nil {
		return nil, err
	}
	return ParseManifest(file, data)
}

// ParseManifest is ReadManifest for what has been read from file.
func ParseManifest(file string, data []byte) (*Manifest, error) {
	var document struct {
		Install string  `yaml:"install"`
		Clients []Entry `yaml:"clients"`
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, located(file, err)
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: found a second document, expected one", file)
	}
	if len(document.Clients) == 0 {
		return nil, fmt.Errorf("%s:1: found no client, expected a list `clients:`", file)
	}
	m := &Manifest{File: file, Install: document.Install, Clients: document.Clients}
	m.number(data)
	return m, m.check()
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?line (\d+): (?:field (\S+) not found in type .*|(.*))$`)

// located gives the problems that the YAML reader found their file:line.
func located(file string, err error) error {
	texts := []string{err.Error()}
	var several *yaml.TypeError
	if errors.As(err, &several) {
		texts = several.Errors
	}
	var problems []error
	for _, text := range texts {
		m := yamlLine.FindStringSubmatch(text)
		switch {
		case m == nil:
			problems = append(problems, fmt.Errorf("%s: %s", file, strings.TrimPrefix(text, "yaml: ")))
		case m[2] != "":
			problems = append(problems, fmt.Errorf("%s:%s: found the key %q%s, expected install, clients and in it %s", file, m[1], m[2], nearest.DidYouMean(m[2], manifestKeys), strings.Join(manifestKeys, ", ")))
		default:
			problems = append(problems, fmt.Errorf("%s:%s: %s", file, m[1], m[3]))
		}
	}
	return errors.Join(problems...)
}

// number gives each entry its line. The document has the shape that Decode took.
func (m *Manifest) number(data []byte) {
	var root yaml.Node
	if yaml.Unmarshal(data, &root) != nil || len(root.Content) == 0 {
		return
	}
	top := root.Content[0].Content
	for i := 0; i+1 < len(top); i += 2 {
		if top[i].Value != "clients" {
			continue
		}
		for j, n := range top[i+1].Content {
			if j < len(m.Clients) {
				m.Clients[j].Line = n.Line
			}
		}
	}
}

func (m *Manifest) check() error {
	var problems []error
	seen := map[string]int{}
	for i := range m.Clients {
		e := &m.Clients[i]
		at := func(format string, args ...any) {
			problems = append(problems, fmt.Errorf("%s:%d: client %q: %w", m.File, e.Line, e.Name, fmt.Errorf(format, args...)))
		}
		e.check(at)
		if first, again := seen[e.Name]; again {
			at("the name a second time, expected each once; the first stands in line %d", first)
		}
		seen[e.Name] = e.Line
	}
	return errors.Join(problems...)
}

var (
	studyForm  = regexp.MustCompile(`^[A-D]?$`)
	moduleForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	pageForm   = regexp.MustCompile(`^(https?://\S+)?$`) // becomes a link
)

// check reads command and outcomes and hands on every problem.
func (e *Entry) check(at func(format string, args ...any)) {
	e.checkForm(at)
	var err error
	if e.Argv, err = e.words(); err != nil {
		at("command: %w", err)
	}
	e.readOutcomes(at)
}

// checkForm holds what needs no reading to its form.
func (e *Entry) checkForm(at func(format string, args ...any)) {
	if !variants.ForeignName.MatchString(e.Name) {
		at("expected a name of lower-case letters, digits and _ that begins with a letter, at most 32 of them")
	}
	if e.Kind != eventlog.ExecClient && e.Kind != eventlog.AdapterClient {
		at("kind %q: expected exec or adapter", e.Kind)
	}
	if !pageForm.MatchString(e.Documentation) {
		at("documentation %q: expected the address of a page, https://…", e.Documentation)
	}
	if !studyForm.MatchString(e.Study) {
		at("study %q: expected one of A to D, or nothing", e.Study)
	}
	if e.Kind != eventlog.ExecClient && (len(e.Outcomes) > 0 || len(e.Settings) > 0 || e.Program != "") {
		at("found outcomes, settings or program, expected them with kind exec only: an adapter says them itself")
	}
	if slices.Contains(e.Needs, "") {
		at("needs: found an empty text, expected programs and files")
	}
	for _, module := range e.Imports {
		if !moduleForm.MatchString(module) {
			at("imports %q: expected the name of a Python module", module)
		}
	}
}

func (e *Entry) readOutcomes(at func(format string, args ...any)) {
	e.ExitOutcomes = map[int]eventlog.Outcome{}
	for status, outcome := range e.Outcomes {
		n, o, err := ParseOutcome(status + "=" + outcome)
		if err != nil {
			at("outcomes: %w", err)
		}
		e.ExitOutcomes[n] = o
	}
}

// words is the command, split; an adapter has no placeholders to be replaced.
func (e *Entry) words() ([]string, error) {
	argv, err := Split(e.Command)
	if err == nil && e.Kind == eventlog.ExecClient {
		err = Check(argv)
	}
	return argv, err
}

// Entry finds a client by its name.
func (m *Manifest) Entry(name string) (Entry, bool) {
	i := slices.IndexFunc(m.Clients, func(e Entry) bool { return e.Name == name })
	if i < 0 {
		return Entry{}, false
	}
	return m.Clients[i], true
}

// Names lists the clients in the order of the file.
func (m *Manifest) Names() []string {
	var names []string
	for _, e := range m.Clients {
		names = append(names, e.Name)
	}
	return names
}
