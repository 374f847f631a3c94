package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/exit"
	"github.com/deadlinelab/deadlinelab/internal/nearest"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// plainly is what cobra refused, in words that do not name a function of Go.
func plainly(err error) error {
	var number *strconv.NumError
	if !errors.As(err, &number) {
		return err
	}
	what, _, _ := strings.Cut(err.Error(), ": strconv.")
	expected := "a whole number"
	if number.Func == "ParseFloat" {
		expected = "a number"
	}
	if errors.Is(number, strconv.ErrRange) {
		expected += " of at most 64 bits"
	}
	return fmt.Errorf("%s: expected %s", what, expected)
}

// unknown refuses a word that is no command, and says which was meant.
func unknown(cmd *cobra.Command, word string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return exit.Usagef("see `"+cmd.CommandPath()+" --help`", "unknown command %q for %q%s", word, cmd.CommandPath(), nearest.DidYouMean(word, names))
}

// onlyCommands is the Args of a command that only has others below it.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknown(cmd, args[0])
	}
	return nil
}

// refuseEmptyLists: what comes from a variable that is not set must not mean
// every one.
func refuseEmptyLists(cmd *cobra.Command) error {
	for _, name := range []string{"variant", "rung", "only"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "[]" {
			return exit.Usagef("name one, or leave the flag out", "--%s is empty", name)
		}
	}
	return nil
}

// decimalOnly makes every flag of a command and of those below it that takes a
// whole number refuse one in another notation: 030 would be 24.
func decimalOnly(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if strings.HasPrefix(f.Value.Type(), "int") {
			f.Value = decimalValue{f.Value}
		}
	})
	for _, below := range cmd.Commands() {
		decimalOnly(below)
	}
}

// decimalValue is the value of a flag that takes a whole number.
type decimalValue struct{ pflag.Value }

// Set reads a whole number as people write it.
func (v decimalValue) Set(text string) error {
	meant, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		meant, err = strconv.ParseInt(text, 0, 64)
	}
	if err == nil && strconv.FormatInt(meant, 10) != strings.TrimPrefix(text, "+") {
		return fmt.Errorf("expected a whole number in decimal, such as %d", meant)
	}
	return v.Value.Set(text)
}
