package timeline

import (
	"bufio"
	"encoding/json"
	"io"
)

// operationsHeader is line 1 of operations.jsonl.
type operationsHeader struct {
	Schema        string `json:"schema"`
	SchemaVersion string `json:"schema_version"`
}

// WriteOperations writes a header line and one JSON line for each operation, in
// their order. The same operations give the same bytes. It returns the first
// error of w.
func WriteOperations(w io.Writer, ops []*Operation) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	lines := json.NewEncoder(buffered)
	lines.SetEscapeHTML(false)
	if err := lines.Encode(operationsHeader{OperationsSchema, OperationsSchemaVersion}); err != nil {
		return err
	}
	for _, op := range ops {
		if err := lines.Encode(op); err != nil {
			return err
		}
	}
	return buffered.Flush()
}
