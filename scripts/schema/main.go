// Command schema writes the JSON Schemas into a folder, and the page of all keys:
//
//	go run ./scripts/schema -out schema -page docs/files.md
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/deadlinelab/deadlinelab/internal/describe"
)

func main() {
	out := flag.String("out", "schema", "folder")
	page := flag.String("page", "docs/files.md", "the page of all keys")
	flag.Parse()
	if err := errors.Join(write(*out), writePage(*page)); err != nil {
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

func writePage(file string) error {
	text, err := describe.Page()
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}
