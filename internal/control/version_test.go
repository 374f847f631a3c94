package control

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	info := func(module string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: module}, Settings: settings}
	}
	commit, changed := debug.BuildSetting{Key: "vcs.revision", Value: "0123abcd"}, debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, c := range []struct {
		linked string
		info   *debug.BuildInfo
		want   string
	}{
		{"", info(""), "devel"},
		{"", info("(devel)"), "devel"},
		{"", info("v0.1.0"), "v0.1.0"},
		{"", info("(devel)", commit), "0123abcd"},
		{"", info("(devel)", changed, commit), "0123abcd+dirty"},
		{"", info("v0.0.0-20261201000000-0123abcd", commit), "v0.0.0-20261201000000-0123abcd"},
		{"ebb35be-dirty", info("(devel)", commit), "ebb35be-dirty"},
	} {
		if got := versionOf(c.linked, c.info); got != c.want {
			t.Errorf("linked %q, module %q, %v: %q, want %q", c.linked, c.info.Main.Version, c.info.Settings, got, c.want)
		}
	}
}
