package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/extclient"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/deadlinelab/deadlinelab/internal/nearest"
)

// The schema of a list of clients as JSON.
const (
	clientsSchema        = "deadlinelab/clients"
	clientsSchemaVersion = "1.0.0"
)

// clientsListed are the clients of a manifest, in its order.
type clientsListed struct {
	Schema        string         `json:"schema"`
	SchemaVersion string         `json:"schema_version"`
	Manifest      string         `json:"manifest"`
	Here          int            `json:"here"` // how many can be run on this machine
	Clients       []clientListed `json:"clients"`
}

type clientListed struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"`
	Command string   `json:"command"`
	Here    bool     `json:"here"`
	Missing []string `json:"missing"`
	Fix     string   `json:"mend"` // what to do about it; empty if nothing is missing
}

// ClientListFormats are the formats of ClientList.
var ClientListFormats = []string{"text", "json"}

// ClientList prints the clients of a manifest with their kinds and commands, and
// whether they can be run on this machine; of those that cannot, why not.
func ClientList(ctx context.Context, s console.Streams, manifest, format string) error {
	if !slices.Contains(ClientListFormats, format) {
		return exit.Usagef("", "--format %q: expected %s%s", format, strings.Join(ClientListFormats, " or "), nearest.DidYouMean(format, ClientListFormats))
	}
	m, err := extclient.ReadManifest(manifest)
	if err != nil {
		return exit.Usagef("--manifest names the file that describes the clients", "%w", err)
	}
	list := listClients(ctx, m)
	if ctx.Err() != nil {
		return &exit.Error{Code: exit.Interrupted, Err: lab.ErrInterrupted}
	}
	if format == "json" {
		encoder := json.NewEncoder(s.Out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(list)
	}
	return list.print(s)
}

func listClients(ctx context.Context, m *extclient.Manifest) clientsListed {
	list := clientsListed{Schema: clientsSchema, SchemaVersion: clientsSchemaVersion, Manifest: m.File}
	for i, p := range m.Presences(ctx) {
		e := m.Clients[i]
		one := clientListed{Name: e.Name, Kind: e.Kind, Command: e.Command, Here: len(p.Missing) == 0, Missing: p.Missing, Fix: p.Fix}
		if one.Here {
			one.Missing = []string{}
			list.Here++
		}
		list.Clients = append(list.Clients, one)
	}
	return list
}

func (l clientsListed) print(s console.Streams) error {
	rows := [][]string{{"CLIENT", "KIND", "HERE", "COMMAND, OR WHAT IS MISSING AND HOW TO FIX IT"}}
	for _, c := range l.Clients {
		row := []string{c.Name, c.Kind, "yes", c.Command}
		if !c.Here {
			row[2], row[3] = "no", fmt.Sprintf("missing %s: %s", strings.Join(c.Missing, ", "), c.Fix)
		}
		rows = append(rows, row)
	}
	_, err := io.WriteString(s.Text(), console.Table(rows, console.Columns(s.Out, 100))+fmt.Sprintf("%d of %d can be run here\n", l.Here, len(l.Clients)))
	return err
}
