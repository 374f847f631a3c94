// Package scenarios embeds the scenario files that ship with the bench: the
// core at the top of the folder, the others in one folder per rung.
package scenarios

import "embed"

// Files holds every file of the folder, this one included; a scenario is a
// file that ends in .yaml.
//
//go:embed *
var Files embed.FS
