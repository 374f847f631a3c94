package main

import (
	"testing"

	"github.com/spf13/cobra"
)

// A locale without Unicode can show every help: cobra prints it past what spells
// signs in ASCII.
func TestHelpIsASCII(t *testing.T) {
	code := 0
	asciiHelp(t, newRoot(&code))
}

func asciiHelp(t *testing.T, cmd *cobra.Command) {
	for _, r := range cmd.Short + cmd.Long + cmd.UsageString() {
		if r >= 0x80 {
			t.Errorf("%s --help: found %q, expected ASCII", cmd.CommandPath(), r)
		}
	}
	for _, child := range cmd.Commands() {
		asciiHelp(t, child)
	}
}
