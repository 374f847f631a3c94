package app

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// A clock that is set while a run goes on may move nothing but the dates in
// run.json and in the directory's name. Durations, deadlines and event times
// come from the monotonic reading that time.Now carries; it is lost by these
// calls alone. Whoever needs one for something else says why here.
var (
	losesMonotonic = map[string]bool{"UTC": true, "Local": true, "In": true, "Round": true, "Truncate": true,
		"Unix": true, "UnixMilli": true, "UnixMicro": true, "UnixNano": true, "Nanosecond": true, "Parse": true, "ParseInLocation": true, "Date": true}
	datesOnly = map[string]string{
		"internal/rundir/dir.go Create":               "the date in a directory's name",
		"internal/app/reportcache.go listed":          "the dates of earlier runs in a list",
		"internal/lab/measure.go stamp":               "the dates in run.json",
		"internal/labserver/noise.go startNoise":      "a seed",
		"internal/clock/monotonic_other.go monotonic": "the anchor of systems other than Linux, read once",
		"internal/fault/retry_after.go header":        "the date that Retry-After is made of",
		"internal/runner/spread.go nextInSecond":      "where in its second a date of Retry-After will be made",
	}
)

func TestNoWallClockInDurations(t *testing.T) {
	used := map[string]bool{}
	for _, root := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			for _, found := range wallClockUses(t, path) {
				place, call, _ := strings.Cut(found, ": ")
				used[place] = true
				if datesOnly[place] == "" {
					t.Errorf("%s calls %s, which drops the monotonic reading: use time.Since and time.Until, or name the reason in datesOnly", place, call)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for place := range datesOnly {
		if !used[place] {
			t.Errorf("%s is excused and does not exist", place)
		}
	}
}

// wallClockUses lists "file function: call" of a file that imports time.
func wallClockUses(t *testing.T, path string) (found []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if call := wallClockCall(n); call != "" && imports(file, "time") {
				found = append(found, fmt.Sprintf("%s %s: %s", strings.TrimPrefix(filepath.ToSlash(path), "../../"), f.Name.Name, call))
			}
			return true
		})
	}
	return found
}

// wallClockCall is the call's text when it may drop a monotonic reading. What
// rounds a duration to time.Second and the like, and package math, does not.
func wallClockCall(n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return ""
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !losesMonotonic[sel.Sel.Name] {
		return ""
	}
	of, _ := sel.X.(*ast.Ident)
	switch sel.Sel.Name {
	case "Parse", "ParseInLocation", "Date":
		if of == nil || of.Name != "time" {
			return ""
		}
	case "Round", "Truncate":
		if of != nil && of.Name == "math" || ofUnit(call.Args) {
			return ""
		}
	}
	return "." + sel.Sel.Name
}

func ofUnit(args []ast.Expr) bool {
	if len(args) != 1 {
		return false
	}
	sel, ok := args[0].(*ast.SelectorExpr)
	return ok && strings.HasSuffix(sel.Sel.Name, "econd")
}

func imports(file *ast.File, name string) bool {
	for _, i := range file.Imports {
		if i.Path.Value == `"`+name+`"` {
			return true
		}
	}
	return false
}
