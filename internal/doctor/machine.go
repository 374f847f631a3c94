package doctor

import (
	"os"
	"strconv"
	"strings"
)

// Machine is where this process runs. What the system does not tell is zero.
type Machine struct {
	System      string  `json:"system"` // GOOS/GOARCH and kernel
	CPUs        int     `json:"cpus"`
	MaxProcs    int     `json:"gomaxprocs"`
	CPUQuota    float64 `json:"cpu_quota"` // CPUs that the cgroup allows, 0 = all
	Load        string  `json:"load"`      // averages over 1, 5 and 15 minutes, before the measurement
	OpenFiles   uint64  `json:"open_files"`
	ClockSource string  `json:"clock_source"` // of the kernel
}

// Files that tell about a Linux system.
const (
	clockSourceFile = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
	quotaFile       = "/sys/fs/cgroup/cpu.max"
)

// Look fills in what only the system's own files tell.
func (m *Machine) Look() {
	m.ClockSource = word(read(clockSourceFile), 0)
	m.CPUQuota = quota(read(quotaFile))
}

func read(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return string(text)
}

func word(text string, n int) string {
	if words := strings.Fields(text); n < len(words) {
		return words[n]
	}
	return ""
}

// quota reads "max 100000" or "150000 100000": microseconds of CPU per period.
func quota(text string) float64 {
	allowed, err := strconv.ParseFloat(word(text, 0), 64)
	period, err2 := strconv.ParseFloat(word(text, 1), 64)
	if err != nil || err2 != nil || !(period > 0) {
		return 0
	}
	return allowed / period
}

// load1 is the average over one minute, 0 if unknown.
func (m *Machine) load1() float64 {
	load, err := strconv.ParseFloat(word(m.Load, 0), 64)
	if err != nil {
		return 0
	}
	return load
}
