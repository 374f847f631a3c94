package app

import (
	"os"
	"path/filepath"

	"github.com/deadlinelab/deadlinelab/internal/extclient"
	"github.com/deadlinelab/deadlinelab/internal/report"
)

// ClientsRun is where the committed run of the known clients lies, and
// ClientsManifest what names them.
const (
	ClientsRun      = "results/clients"
	ClientsManifest = "clients/clients.yaml"
)

// timelinesFolder holds a drawing of each wait, in the run's directory.
const timelinesFolder = "timelines"

// ClientTable sets a run of clients on one page, as markdown. The page links to
// the run's drawings, if it has any, as seen from docs/.
func ClientTable(s Streams, path, manifest string) error {
	m, err := extclient.ReadManifest(manifest)
	if err != nil {
		return Usagef("--manifest names the file that describes the clients", "%w", err)
	}
	a, err := open(path)
	switch {
	case err != nil && path == ClientsRun:
		return Usagef("`make clients-bench` measures the clients into it", "%w", err)
	case err != nil:
		return err
	}
	a.printNotes(s)
	dir := filepath.ToSlash(filepath.Clean(path))
	in := report.ClientPageInput{Input: a.input(), Dir: dir, Known: knownClients(m)}
	if info, err := os.Stat(a.dir.Join(timelinesFolder)); err == nil && info.IsDir() {
		in.Timelines = "../" + dir + "/" + timelinesFolder
	}
	return report.ClientPage(s.Out, in)
}

func knownClients(m *extclient.Manifest) []report.KnownClient {
	var list []report.KnownClient
	for _, e := range m.Clients {
		list = append(list, report.KnownClient{Name: e.Name, Pair: e.Pair, Documentation: e.Documentation, Fixes: e.Fixes, Study: e.Study})
	}
	return list
}
