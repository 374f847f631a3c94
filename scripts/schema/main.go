// Command schema writes the JSON Schemas into a folder:
//
//	go run ./scripts/schema -out schema
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/deadlinelab/deadlinelab/internal/describe"
)

func main() {
	out := flag.String("out", "schema", "folder")
	flag.Parse()
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(70)
	}
}

func write(folder string) error {
	for _, name := range describe.Names() {
		text, err := describe.JSON(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name+".schema.json"), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
