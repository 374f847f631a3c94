package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/analysis"
	"github.com/deadlinelab/deadlinelab/internal/app"
	"github.com/deadlinelab/deadlinelab/internal/lab"
	"github.com/spf13/cobra"
)

// What a shell offers behind a word that somebody types. A name that stands on
// the line already is not offered again.

func complete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(fmt.Sprintf("completion of --%s: %v", flag, err))
	}
}

func fixed(words ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeList completes the word behind the last comma.
func completeList(names func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return behind(typed[:strings.LastIndex(typed, ",")+1], names()), cobra.ShellCompDirectiveNoFileComp
	}
}

// behind puts each name that the list before does not hold behind it.
func behind(before string, names []string) []string {
	var words []string
	for _, name := range leaving(names, strings.Split(before, ",")) {
		words = append(words, before+name)
	}
	return words
}

func leaving(names, given []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(given, name) })
}

// completeScenarios completes at most that many scenarios, by name or as a file.
func completeScenarios(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return leaving(lab.ScenarioNames(), args), cobra.ShellCompDirectiveDefault
	}
}

// anyNumber is for arguments that may be as many as there are scenarios.
const anyNumber = 1 << 20

func variantNames() []string { return append(lab.VariantNames(), "all") }

// completeShown completes one variant or scenario, and a variant behind a variant.
func completeShown(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	switch {
	case len(args) == 0:
		return append(lab.VariantNames(), lab.ScenarioNames()...), cobra.ShellCompDirectiveNoFileComp
	case len(args) == 1 && !slices.Contains(lab.ScenarioNames(), args[0]):
		return leaving(lab.VariantNames(), args), cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// completeSchema completes the one schema that is to be printed.
func completeSchema(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return app.SchemaNames(), cobra.ShellCompDirectiveNoFileComp
}

// completeFormat completes FORMAT, and a file behind FORMAT=.
func completeFormat(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	if strings.Contains(typed, "=") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return analysis.Formats(), cobra.ShellCompDirectiveNoFileComp
}

// completeOutcomes completes what stands behind the =.
func completeOutcomes(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	status, _, ok := strings.Cut(typed, "=")
	if !ok {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var words []string
	for _, o := range lab.ExitOutcomes() {
		words = append(words, status+"="+o)
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// completeClients completes the name behind a manifest's colon or its last
// comma, and a file before that.
func completeClients(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	file, names, ok := strings.Cut(typed, ":")
	if !ok {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var words []string
	for _, word := range behind(names[:strings.LastIndex(names, ",")+1], lab.ManifestNames(file)) {
		words = append(words, file+":"+word)
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}
