package report

import "bytes"

func init() {
	Register("svg", writeMatrixSVG)
	RegisterFiles("svg", svgFiles)
}

// writeMatrixSVG is the one drawing that shows a whole run.
func writeMatrixSVG(b *bytes.Buffer, in Input) error {
	_, err := b.Write(matrixDrawing(newMatrix(in, in.Summary.groups()), SVGOptions{Title: "What each client's promise was worth", standalone: true}).Bytes())
	return err
}

// svgFiles are the matrix, and for each scenario the typical operation of each
// variant on one axis, all of them together and each alone.
func svgFiles(in Input) ([]File, error) {
	var matrix bytes.Buffer
	if err := writeMatrixSVG(&matrix, in); err != nil {
		return nil, err
	}
	files := []File{{Name: "matrix.svg", Data: matrix.Bytes()}}
	archive := newArchive(in.Operations)
	for _, g := range in.Summary.groups() {
		subjects := archive.representatives(g)
		if len(subjects) == 0 {
			continue
		}
		together := NewDetailedChart(subjects)
		files = append(files, timelineFile(slug(g.name), in.question(g.name), together))
		for i, s := range subjects {
			alone := together
			alone.Blocks = together.Blocks[i : i+1]
			files = append(files, timelineFile(slug(g.name)+"-"+slug(s.Operation.Label), in.question(g.name), alone))
		}
	}
	return files, nil
}

func timelineFile(name, question string, c Chart) File {
	return File{Name: name + ".svg", Data: timelineDrawing(c, SVGOptions{Title: name, Text: question, standalone: true}).Bytes()}
}
