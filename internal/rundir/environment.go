package rundir

import (
	"os"
	"runtime"
	"strings"
)

// ThisEnvironment is where this process runs, and the load of the machine right
// now; version is the program's own. What the system does not say stays empty.
func ThisEnvironment(version string) Environment {
	return Environment{
		Go:         runtime.Version(),
		OS:         runtime.GOOS,
		Arch:       runtime.GOARCH,
		CPUs:       runtime.NumCPU(),
		MaxProcs:   runtime.GOMAXPROCS(0),
		Kernel:     firstFields("/proc/sys/kernel/osrelease", 1),
		Version:    version,
		OpenFiles:  OpenFiles(),
		LoadBefore: firstFields("/proc/loadavg", 3),
	}
}

// firstFields is the first n words of a system file, empty where there is none.
func firstFields(file string, n int) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	words := strings.Fields(string(text))
	return strings.Join(words[:min(n, len(words))], " ")
}
