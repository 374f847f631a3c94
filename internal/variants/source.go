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
		return "", fmt.Errorf("variant %s has no file of its own: want internal/variants/%s.go", v.Name, v.Name)
	}
	return string(text), nil
}

// Names lists the registered variants in the order of All.
func Names() []string {
	var names []string
	for _, v := range All() {
		names = append(names, v.Name)
	}
	return names
}
