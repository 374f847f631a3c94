package bench

import "github.com/deadlinelab/deadlinelab/internal/foreign"

// ClientList prints the clients of a manifest with their kinds and commands.
func ClientList(s Streams, manifest string) error {
	m, err := foreign.ReadManifest(manifest)
	if err != nil {
		return Usagef("--manifest names the file that describes the clients", "%w", err)
	}
	rows := [][]string{{"CLIENT", "KIND", "COMMAND"}}
	for _, e := range m.Clients {
		rows = append(rows, []string{e.Name, e.Kind, e.Command})
	}
	return s.list(rows)
}
