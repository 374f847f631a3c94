package variants

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.go
var files embed.FS

// Source is the source text of a registered variant, by name or letter.
func Source(nameOrLabel string) (string, error) {
	v, ok := Find(nameOrLabel)
	if !ok {
		return "", fmt.Errorf("variant %q is unknown: want one of %s", nameOrLabel, strings.Join(Names(), ", "))
	}
	text, err := files.ReadFile(v.Name + ".go")
	if err != nil {
		return "", fmt.Errorf("variant %s has no file of its own: want %s", v.Name, File(v.Name))
	}
	return string(text), nil
}

// File is the source file of a variant, as seen from the top of the module.
func File(name string) string { return "internal/variants/" + name + ".go" }

// Names lists the registered variants in the order of All.
func Names() []string {
	var names []string
	for _, v := range All() {
		names = append(names, v.Name)
	}
	return names
}
