package control

import "runtime/debug"

// version is set by the linker: make does, from git.
var version string

// Version is what this binary calls itself, bench and labserver alike: what the
// linker was told, else the module's version or the commit that the go command
// recorded, else "devel".
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return versionOf(version, info)
}

func versionOf(linked string, info *debug.BuildInfo) string {
	commit := ""
	changed := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+dirty"
		}
	}
	switch module := info.Main.Version; {
	case linked != "":
		return linked
	case module != "" && module != "(devel)":
		return module
	case commit != "":
		return commit + changed
	}
	return "devel"
}
