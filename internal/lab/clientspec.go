package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/deadlinelab/deadlinelab/internal/eventlog"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/extclient"
	"github.com/deadlinelab/deadlinelab/internal/nearest"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// ClientOptions are the flags that name clients in processes of their own.
type ClientOptions struct {
	Exec      []string // [NAME=]COMMAND: one process per operation
	Outcomes  []string // [NAME:]STATUS=OUTCOME of those
	Adapters  []string // [NAME=]COMMAND: speaks the adapter protocol
	Manifests []string // FILE[:NAME,NAME…]
}

// ClientSpec is one client as it was named.
type ClientSpec struct {
	Name     string
	kind     string
	Argv     []string
	outcomes map[int]eventlog.Outcome
	settings map[string]string
	program  string // exec: whose version is shown; empty = argv[0]
	manifest string // file that names it; empty = its command was given
	Install  string // command of that file that builds or installs it; empty = none is known
	optional bool   // one of all in a file: left out with a note if it is not there
	From     string // flag, or file and line, for errors
}

// specs reads the flags. Nothing is started.
func (o ClientOptions) specs() ([]ClientSpec, error) {
	var list []ClientSpec
	var problems []error
	for _, text := range o.Exec {
		spec, err := ParseClient("--exec", eventlog.ExecClient, text)
		list, problems = append(list, spec), append(problems, err)
	}
	for _, text := range o.Adapters {
		spec, err := ParseClient("--client", eventlog.AdapterClient, text)
		list, problems = append(list, spec), append(problems, err)
	}
	for _, text := range o.Manifests {
		some, err := manifestSpecs(text)
		list, problems = append(list, some...), append(problems, err)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, exit.Usagef(specHint(err), "%w", err)
	}
	return list, errors.Join(CheckNames(list), o.mapOutcomes(list))
}

var errUnknownClient = errors.New("no client")

func specHint(err error) string {
	switch {
	case errors.Is(err, errUnknownClient):
		return "`bench client list --manifest FILE` shows them"
	case errors.Is(err, fs.ErrNotExist):
		return "expected FILE or FILE:NAME,NAME…; " + ClientsManifest + " is one to copy"
	}
	return "`bench run --help` shows examples"
}

// named matches NAME= in front of a command: what looks like a program's path
// or an argument is none.
var named = regexp.MustCompile(`^([^\s=/\\'"{}.]+)=`)

// ParseClient reads the value of a flag that names a client: [NAME=]COMMAND.
func ParseClient(flag, kind, text string) (ClientSpec, error) {
	name, command := "", text
	if m := named.FindStringSubmatch(text); m != nil {
		name, command = m[1], text[len(m[0]):]
	}
	if !utf8.ValidString(text) {
		return ClientSpec{}, fmt.Errorf("%s %q: found bytes that are no UTF-8, expected a command that the plan and the reports can show; a script can hold them", flag, text)
	}
	argv, err := extclient.Split(command)
	if err == nil && kind == eventlog.ExecClient {
		err = extclient.Check(argv)
	}
	if err != nil {
		return ClientSpec{}, fmt.Errorf("%s %q: %w", flag, text, err)
	}
	if name == "" {
		name = nameOf(argv[0])
	}
	return ClientSpec{Name: name, kind: kind, Argv: argv, From: fmt.Sprintf("%s %q", flag, text)}, nil
}

var unfit = regexp.MustCompile(`[^a-z0-9_]+`)

// nameOf makes the name of a program fit: Client-2.exe becomes client_2.
func nameOf(program string) string {
	base := strings.ToLower(filepath.Base(program))
	name := strings.Trim(unfit.ReplaceAllString(strings.TrimSuffix(base, filepath.Ext(base)), "_"), "_")
	name = strings.TrimLeft(name, "0123456789_")
	if name == "" {
		return "client"
	}
	return name[:min(len(name), 32)]
}

// manifestSpecs are the clients that FILE[:NAME,NAME…] names.
func manifestSpecs(text string) ([]ClientSpec, error) {
	file, names := cutNames(text)
	m, err := extclient.ReadManifest(file)
	if err != nil {
		return nil, fmt.Errorf("--clients: %w", err)
	}
	var list []ClientSpec
	for _, name := range orAll(names, m.Names()) {
		e, ok := m.Entry(name)
		if !ok {
			return nil, fmt.Errorf("--clients %s: %w %q in it%s", file, errUnknownClient, name, nearest.DidYouMean(name, m.Names()))
		}
		list = append(list, ClientSpec{Name: e.Name, kind: e.Kind, Argv: e.Argv, outcomes: e.ExitOutcomes, settings: e.Settings, program: e.Program,
			manifest: file, Install: m.Install, optional: len(names) == 0, From: fmt.Sprintf("%s:%d", file, e.Line)})
	}
	return list, nil
}

var behindFile = regexp.MustCompile(`^(.+):([A-Za-z0-9_, -]+)$`)

// cutNames takes the names off a file, unless all of it is one.
func cutNames(text string) (file string, names []string) {
	m := behindFile.FindStringSubmatch(text)
	if _, err := os.Stat(text); err == nil || m == nil {
		return text, nil
	}
	for name := range strings.SplitSeq(m[2], ",") {
		names = append(names, strings.TrimSpace(name))
	}
	return m[1], names
}

func orAll(names, all []string) []string {
	if len(names) == 0 {
		return all
	}
	return names
}

// CheckNames refuses names that reports and ids could not tell apart.
func CheckNames(list []ClientSpec) error {
	var problems []error
	first := map[string]string{}
	for _, c := range list {
		from, twice := first[c.Name]
		switch _, taken := variants.Find(c.Name); {
		case !variants.ForeignName.MatchString(c.Name):
			problems = append(problems, fmt.Errorf("%s: the name %q: expected lower-case letters, digits and _, a letter first, at most 32", c.From, c.Name))
		case taken:
			problems = append(problems, fmt.Errorf("%s: the name %q is that of a variant", c.From, c.Name))
		case twice:
			problems = append(problems, fmt.Errorf("%s: the name %q is that of %s already", c.From, c.Name, from))
		}
		first[c.Name] = c.From
	}
	if err := errors.Join(problems...); err != nil {
		return exit.Usagef("write NAME=COMMAND to choose another name", "%w", err)
	}
	return nil
}

// ManifestNames lists the clients of a manifest; none if it cannot be read.
func ManifestNames(file string) []string {
	m, err := extclient.ReadManifest(file)
	if err != nil {
		return nil
	}
	return m.Names()
}

// ClientsManifest is the file that names the known clients.
const ClientsManifest = "clients/clients.yaml"
