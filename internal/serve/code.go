package serve

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/report"
	"github.com/deadlinelab/deadlinelab/internal/variants"
)

// codeRow is a line of both variants' source.
type codeRow struct {
	Left, Right             string
	LeftMarked, RightMarked bool
}

// Decisive tells whether the line makes a difference.
func (r codeRow) Decisive() bool { return r.LeftMarked || r.RightMarked }

// code is the source of both variants, line beside line: what they do, without
// imports and registration, which differ in any case and decide nothing.
func (d *pairRun) code() (left, right variants.Variant, rows []codeRow, err error) {
	left, _ = variants.Find(d.scenario.Contrast[0])
	right, _ = variants.Find(d.scenario.Contrast[1])
	a, err := functions(left)
	if err != nil {
		return left, right, nil, err
	}
	b, err := functions(right)
	if err != nil {
		return left, right, nil, err
	}
	for _, r := range report.AlignSource(a, b) {
		differs := r.Mark != ' '
		rows = append(rows, codeRow{r.Left, r.Right, differs && isDecisive(r.Left), differs && isDecisive(r.Right)})
	}
	return left, right, rows, nil
}

// isDecisive leaves the function's name and bare braces out.
func isDecisive(line string) bool {
	return !strings.HasPrefix(line, "func ") && strings.Trim(line, " {})") != ""
}

// functions is the text of a variant's functions but for init.
func functions(v variants.Variant) (string, error) {
	text, err := variants.Source(v.Name)
	if err != nil {
		return "", err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, v.Name+".go", text, parser.ParseComments)
	if err != nil {
		return "", fmt.Errorf("source of variant %s: %w", v.Name, err)
	}
	var parts []string
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Name.Name == "init" {
			continue
		}
		from := f.Pos()
		if f.Doc != nil {
			from = f.Doc.Pos()
		}
		parts = append(parts, text[set.Position(from).Offset:set.Position(f.End()).Offset])
	}
	return strings.Join(parts, "\n\n") + "\n", nil
}
