package rundir

import (
	"compress/gzip"
	"io"
	"os"
	"slices"
)

// Has tells whether a file is there, plain or compressed.
func (d *Dir) Has(name string) bool {
	return d.there(name) || slices.ContainsFunc(packings, func(suffix string) bool { return d.there(name + suffix) })
}

func (d *Dir) there(name string) bool {
	_, err := os.Stat(d.Join(name))
	return err == nil
}

// WriteRecords replaces a .jsonl file as a whole. A directory that was packed
// stays packed: where only name.gz is there, that is what is written.
func (d *Dir) WriteRecords(name string, write func(io.Writer) error) error {
	if d.there(name) || !d.there(name+".gz") {
		return d.WriteFile(name, write)
	}
	return d.WriteFile(name+".gz", func(w io.Writer) error {
		z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return err
		}
		if err := write(z); err != nil {
			return err
		}
		return z.Close()
	})
}
