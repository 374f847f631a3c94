package textui

import "strings"

// Quoted writes arguments as a shell reads them.
func Quoted(arguments []string) []string {
	list := make([]string, len(arguments))
	for i, a := range arguments {
		list[i] = Quote(a)
	}
	return list
}

// Quote writes one argument as a shell reads it.
func Quote(argument string) string {
	if strings.ContainsAny(argument, " \t\"'$&;|<>()*?`\\") || argument == "" {
		return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
	}
	return argument
}
