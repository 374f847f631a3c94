package report

import (
	"bytes"

	"github.com/deadlinelab/deadlinelab/internal/view"
)

func init() { Register("json", writeJSON) }

// writeJSON is summary.json, byte for byte.
func writeJSON(b *bytes.Buffer, in view.Input) error {
	data, err := in.Summary.JSON()
	b.Write(data)
	return err
}
