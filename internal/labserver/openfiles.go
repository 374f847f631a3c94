package labserver

const (
	mostConnections = 20_000
	reservedFiles   = 256 // for control connections, logs, timers
)

// maxConnections is min(20,000, open files - 256), at least one.
func maxConnections() int { return max(1, min(mostConnections, openFiles()-reservedFiles)) }
