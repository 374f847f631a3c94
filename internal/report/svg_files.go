package report

import (
	"bytes"

	"github.com/deadlinelab/deadlinelab/internal/chart"
	"github.com/deadlinelab/deadlinelab/internal/svg"
	"github.com/deadlinelab/deadlinelab/internal/view"
)

func init() {
	Register("svg", writeMatrixSVG)
	RegisterFiles("svg", svgFiles)
}

// writeMatrixSVG is the one drawing that shows a whole run.
func writeMatrixSVG(b *bytes.Buffer, in view.Input) error {
	_, err := b.Write(svg.MatrixDrawing(view.NewMatrix(in, in.Summary.Groups()), svg.SVGOptions{Title: "What each client's promise was worth", Standalone: true}).Bytes())
	return err
}

// svgFiles are the matrix, and for each scenario the typical operation of each
// variant on one axis, all of them together and each alone.
func svgFiles(in view.Input) ([]File, error) {
	var matrix bytes.Buffer
	if err := writeMatrixSVG(&matrix, in); err != nil {
		return nil, err
	}
	files := []File{{Name: "matrix.svg", Data: matrix.Bytes()}}
	archive := view.NewArchive(in.Operations)
	for _, g := range in.Summary.Groups() {
		subjects := archive.Representatives(g)
		if len(subjects) == 0 {
			continue
		}
		together := chart.NewDetailedChart(subjects)
		files = append(files, timelineFile(view.Slug(g.Name), in.Question(g.Name), together))
		for i, s := range subjects {
			alone := together
			alone.Blocks = together.Blocks[i : i+1]
			files = append(files, timelineFile(view.Slug(g.Name)+"-"+view.Slug(s.Operation.Label), in.Question(g.Name), alone))
		}
	}
	return files, nil
}

func timelineFile(name, question string, c chart.Chart) File {
	return File{Name: name + ".svg", Data: svg.TimelineDrawing(c, svg.SVGOptions{Title: name, Text: question, Standalone: true}).Bytes()}
}
