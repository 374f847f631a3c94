package bench

import "runtime/debug"

// Version is what this binary calls itself: set by the linker, else the
// module version that the go command recorded, else "devel".
var version string

// Version of this binary.
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
