package variants

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	namePattern  = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	labelPattern = regexp.MustCompile(`(?m)^\s*(Label:\s+"[^"]*"|Listed:\s+true),\n`)
	word         = regexp.MustCompile(`\w+`)
)

// longestName keeps operation ids, which hold a scenario's name and a label,
// within 96 characters.
const longestName = 30

// Copy is the source of variant from (name or letter) as a new variant named
// to, for the file internal/variants/<to>.go; its label is its name, and it takes
// part everywhere. It refuses a name that is taken, or that Go would not build everywhere.
func Copy(from, to string) ([]byte, error) {
	text, err := Source(from)
	if err != nil {
		return nil, err
	}
	if err := freeName(to, text); err != nil {
		return nil, err
	}
	v, _ := Find(from)
	renamed := renames(text, v.Name, to)
	text = strings.Replace(text, `"`+v.Name+`"`, `"`+to+`"`, 1)
	text = labelPattern.ReplaceAllString(text, "")
	text = word.ReplaceAllStringFunc(text, func(w string) string {
		if other, ok := renamed[w]; ok {
			return other
		}
		return w
	})
	return format.Source([]byte(text))
}

// renames gives the file's own declarations new names, so that the copy compiles beside it.
func renames(text, from, to string) map[string]string {
	renamed := map[string]string{}
	for _, name := range declared(text) {
		if name == camel(from) {
			renamed[name] = camel(to)
		} else if name != "init" {
			renamed[name] = camel(to) + strings.ToUpper(name[:1]) + name[1:]
		}
	}
	return renamed
}

func freeName(name, source string) error {
	if !namePattern.MatchString(name) || len(name) > longestName {
		return fmt.Errorf("variant name %q: want up to %d lower case letters, digits and single underscores, such as my_client", name, longestName)
	}
	v, found := Find(name)
	if found && v.Name == name {
		return fmt.Errorf("variant %q exists already, in internal/variants/%s.go; edit it, remove it or choose another name", name, name)
	}
	if found || name == "all" {
		return fmt.Errorf("variant name %q stands for other variants on the command line; choose another one", name)
	}
	if !builtEverywhere(name + ".go") {
		return fmt.Errorf("variant name %q: Go builds a file with this ending for tests or one platform only; choose another ending", name)
	}
	if _, err := files.ReadFile(name + ".go"); err == nil {
		return fmt.Errorf("variant name %q: internal/variants/%s.go exists already and is no variant; choose another name", name, name)
	}
	if taken(name, source) {
		return fmt.Errorf("variant name %q would be a Go identifier that is taken in internal/variants; choose another one", name)
	}
	return nil
}

// builtEverywhere asks go/build about two platforms that share neither name.
func builtEverywhere(file string) bool {
	for _, platform := range [][2]string{{"linux", "amd64"}, {"plan9", "arm"}} {
		ctx := build.Context{GOOS: platform[0], GOARCH: platform[1], Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader([]byte("package variants\n"))), nil
		}}
		if match, err := ctx.MatchFile(".", file); err != nil || !match {
			return false
		}
	}
	return !strings.HasSuffix(file, "_test.go")
}

// taken tells whether the name is an identifier that the copy would collide with.
func taken(name, source string) bool {
	id := camel(name)
	if token.IsKeyword(id) || types.Universe.Lookup(id) != nil || regexp.MustCompile(`\b`+id+`\b`).MatchString(source) {
		return true
	}
	entries, _ := files.ReadDir(".")
	for _, entry := range entries {
		text, _ := files.ReadFile(entry.Name())
		if slices.Contains(declared(string(text)), id) || slices.Contains(imported(string(text)), id) {
			return true
		}
	}
	return false
}

// imported lists the names under which a source text has other packages: a
// package-level name must differ from those of every file.
func imported(text string) []string {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	var names []string
	for _, spec := range file.Imports {
		if spec.Name != nil {
			names = append(names, spec.Name.Name)
			continue
		}
		names = append(names, path.Base(strings.Trim(spec.Path.Value, `"`)))
	}
	return names
}

// declared lists the package-level names of a source text.
func declared(text string) []string {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var names []string
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				names = append(names, specNames(spec)...)
			}
		}
	}
	return names
}

func specNames(spec ast.Spec) []string {
	var names []string
	switch s := spec.(type) {
	case *ast.TypeSpec:
		names = append(names, s.Name.Name)
	case *ast.ValueSpec:
		for _, id := range s.Names {
			names = append(names, id.Name)
		}
	}
	return names
}

// camel is the Go name of a snake_case one.
func camel(snake string) string {
	parts := strings.Split(snake, "_")
	for i, p := range parts[1:] {
		parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
	}
	return strings.Join(parts, "")
}
