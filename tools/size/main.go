// Command size prints how large each package is, without its tests: lines,
// files, exported names, and its widest line in columns. It fails where a
// package is past a limit.
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
)

// limits are what a package and the whole may have at most.
type limits struct{ total, lines, names, columns int }

type pkg struct {
	dir                          string
	lines, files, names, columns int
}

// many are the packages in which each exported name is a kind of its own.
var many = []string{"internal/fault"}

func main() {
	var l limits
	flag.IntVar(&l.total, "total", 40_000, "lines of all packages")
	flag.IntVar(&l.lines, "lines", 4_000, "lines of a package")
	flag.IntVar(&l.names, "names", 40, "exported names of a package")
	flag.IntVar(&l.columns, "columns", 120, "columns of a line, a tab being 4")
	flag.Parse()
	packages, err := measure(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(70)
	}
	print(packages)
	if past := l.past(packages); len(past) > 0 {
		fmt.Fprintln(os.Stderr, "error: "+strings.Join(past, "\nerror: "))
		os.Exit(10)
	}
}

// measure reads the Go files of every folder but tests and clients.
func measure(root string) ([]*pkg, error) {
	byDir := map[string]*pkg{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains([]string{"test", "clients", "results"}, path) || d.Name() == "testdata" || d.Name() == ".git"):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		if byDir[dir] == nil {
			byDir[dir] = &pkg{dir: dir}
		}
		return byDir[dir].add(path)
	})
	var list []*pkg
	for _, p := range byDir {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *pkg) int { return strings.Compare(a.dir, b.dir) })
	return list, err
}

func (p *pkg) add(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")
		p.lines, p.columns = p.lines+1, max(p.columns, utf8.RuneCountInString(line))
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	p.files, p.names = p.files+1, p.names+exported(file)
	return nil
}

// exported counts the exported names of a file, methods not among them.
func exported(file *ast.File) (n int) {
	count := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id.IsExported() {
				n++
			}
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				count(d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					count(s.Name)
				case *ast.ValueSpec:
					count(s.Names...)
				}
			}
		}
	}
	return n
}

func print(packages []*pkg) {
	table := tablewriter.NewWriter(os.Stdout)
	table.Header("package", "lines", "files", "exported", "widest line")
	total := 0
	for _, p := range packages {
		table.Append(p.dir, p.lines, p.files, p.names, p.columns)
		total += p.lines
	}
	table.Footer("all", total, "", "", "")
	table.Render()
}

func (l limits) past(packages []*pkg) (list []string) {
	check := func(what string, found, most int) {
		if found > most {
			list = append(list, fmt.Sprintf("%s: found %d, expected at most %d", what, found, most))
		}
	}
	total := 0
	for _, p := range packages {
		total += p.lines
		check(p.dir+": lines", p.lines, l.lines)
		check(p.dir+": widest line", p.columns, l.columns)
		if !slices.Contains(many, p.dir) {
			check(p.dir+": exported names", p.names, l.names)
		}
	}
	check("lines of all packages", total, l.total)
	return list
}
