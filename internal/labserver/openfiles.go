package labserver

import "fmt"

const (
	mostConnections = 20_000
	reservedFiles   = 256 // for control connections, logs, timers
	filesOfProof    = 4   // its listener, what fills its queue, and both ends of a connection
	// roomy is for how many connections there is room without a word: two for
	// each of the operations that a run has in flight where nothing else is asked.
	roomy = 300
)

// maxConnections is min(20,000, open files - 256), at least one.
func maxConnections() int { return connectionsWithin(openFiles()) }

func connectionsWithin(files int) int { return max(1, min(mostConnections, files-reservedFiles)) }

// enoughToProve refuses a selftest whose proofs would fail for want of files.
func enoughToProve(files int) error {
	const needed = reservedFiles + filesOfProof*proofsAtOnce
	if files >= needed {
		return nil
	}
	return refuse(0, fmt.Sprintf("raise the limit: `ulimit -n %d`", needed),
		"only %d files may be open at once (ulimit -n); selftest needs %d", files, needed)
}

// warnOfFiles tells a person of a limit that clients would meet.
func (p *program) warnOfFiles(files int) {
	if room := connectionsWithin(files); room < roomy {
		const say = "note: only %d files may be open at once, of which connections get %d; `ulimit -n %d` before the start gives them %d\n"
		fmt.Fprintf(p.stderr, say, files, room, reservedFiles+roomy, roomy)
	}
}
