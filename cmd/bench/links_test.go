package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var link = regexp.MustCompile(`\]\(([^):#]+)(?:#[^)]*)?\)`)

// made are pages that a measured run makes: a checkout may be without them.
var made = map[string]bool{}

// Every link from a page to a file of the project leads somewhere.
func TestLinksInDocs(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range append(pages, "../../README.md", "../../results/README.md") {
		for _, l := range link.FindAllStringSubmatch(page(t, file), -1) {
			found++
			target := filepath.Join(filepath.Dir(file), l[1])
			if _, err := os.Stat(target); err != nil && !made[target] {
				t.Errorf("%s links to %s, which does not exist", file, l[1])
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d links found", found)
	}
}
