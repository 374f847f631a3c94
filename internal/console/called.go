package console

import (
	"runtime/debug"
	"strings"

	"github.com/deadlinelab/deadlinelab/internal/textui"
)

// CalledAs is what calls the program again that was started as arg0: its path,
// or its name where the shell found it. What go run builds it may remove again,
// so that such a one is called by its package.
func CalledAs(arg0 string) string {
	if info, ok := debug.ReadBuildInfo(); ok && strings.Contains(arg0, "go-build") {
		return goRun(info)
	}
	return textui.Quote(arg0)
}

// goRun needs no version in the module itself.
func goRun(info *debug.BuildInfo) string {
	if v := info.Main.Version; info.Main.Sum != "" {
		return "go run " + info.Path + "@" + v
	}
	return "go run " + info.Path
}

// Called says how bench was called, for the commands that a report leads on to.
func (s Streams) Called(program string) Streams {
	s.Program = program
	return s
}
