package wording

import (
	_ "embed"
)

// Dress is how a promise looks: its colour, and the shape and word beside it.
type Dress struct{ Class, Glyph, Word string }

// Dresses are the promises, and what stands for one that is not known.
var Dresses = map[string]Dress{
	"kept":           {"kept", "●", "kept"},
	"failed_in_time": {"failed", "■", "failed in time"},
	"late":           {"late", "▲", "late"},
	"unbounded":      {"unbounded", "∞", "unbounded"},
	"cancelled":      {"cancelled", "○", "cancelled"},
	"unsure":         {"none", "≈", "too close to tell"},
	"under_way":      {"none", "…", "under way"},
}

// NotApplicableDress is that of a series whose client cannot be measured.
var NotApplicableDress = Dress{"na", "▨", "not applicable"}

// DressOf also dresses a series without operations.
func DressOf(promise string) Dress {
	if d, ok := Dresses[promise]; ok {
		return d
	}
	return Dress{"none", "–", "no operation"}
}
