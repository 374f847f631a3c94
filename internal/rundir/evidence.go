package rundir

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
)

// Evidence is what a file held when the run was closed. What a run is judged by
// later must be that. A log that was packed since is meant unpacked.
type Evidence struct {
	File   string `json:"file"`
	Lines  int64  `json:"lines"`
	SHA256 string `json:"sha256"`
}

// EvidenceFiles are those that a run is judged by. The plan holds the scenarios
// with everything that they ask and expect.
var EvidenceFiles = []string{PlanFile, ClientLog, ServerLog}

func (e Evidence) String() string { return fmt.Sprintf("%d lines, sha256 %s", e.Lines, e.SHA256) }

// Digest counts and digests what is written to it.
type Digest struct {
	hash  hash.Hash
	lines int64
}

// NewDigest is a Digest of nothing yet.
func NewDigest() *Digest { return &Digest{hash: sha256.New()} }

func (d *Digest) Write(p []byte) (int, error) {
	d.lines += int64(bytes.Count(p, []byte("\n")))
	return d.hash.Write(p)
}

// Of is the evidence of the file whose bytes were written.
func (d *Digest) Of(file string) Evidence {
	return Evidence{File: file, Lines: d.lines, SHA256: hex.EncodeToString(d.hash.Sum(nil))}
}

// ReadEvidence is the evidence of a file, read from r.
func ReadEvidence(file string, r io.Reader) (Evidence, error) {
	d := NewDigest()
	if _, err := io.Copy(d, r); err != nil {
		return Evidence{}, fmt.Errorf("%s cannot be read back: %w", file, err)
	}
	return d.Of(file), nil
}

// EvidenceOf is what run.json says of a file, false if it says nothing.
func (r *Run) EvidenceOf(file string) (Evidence, bool) {
	for _, e := range r.Evidence {
		if e.File == file {
			return e, true
		}
	}
	return Evidence{}, false
}
