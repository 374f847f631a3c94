package app

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/deadlinelab/deadlinelab/internal/console"
	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/nearest"
	"github.com/deadlinelab/deadlinelab/schema"
)

// SchemaNames lists the JSON Schemas.
func SchemaNames() []string { return schema.Names() }

// Schema prints the JSON Schema of that name.
func Schema(s console.Streams, name string) error {
	text, err := schema.Read(name)
	if err != nil {
		return exit.Usagef("`bench schema` lists them", "%w%s", err, nearest.DidYouMean(name, SchemaNames()))
	}
	_, err = s.Out.Write(text)
	return err
}

// ListSchemas prints every schema with what it describes.
func ListSchemas(s console.Streams) error {
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SCHEMA\tDESCRIBES\tID")
	for _, name := range SchemaNames() {
		text, err := schema.Read(name)
		if err != nil {
			return err
		}
		var head struct {
			Title string `json:"title"`
			ID    string `json:"$id"`
		}
		if err := json.Unmarshal(text, &head); err != nil {
			return fmt.Errorf("schema %s: %w", name, err)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, head.Title, head.ID)
	}
	return w.Flush()
}
