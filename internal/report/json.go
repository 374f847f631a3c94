package report

import "bytes"

func init() { Register("json", writeJSON) }

// writeJSON is summary.json, byte for byte.
func writeJSON(b *bytes.Buffer, in Input) error {
	data, err := in.Summary.JSON()
	b.Write(data)
	return err
}
