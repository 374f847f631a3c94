package extclient

import "crypto/rand"

// markName is a variable that every process of a client carries, and with it
// all that they start. Each bench has a value of its own.
const markName = ownPrefix + "BENCH"

var mark = rand.Text()

// Mark is this bench's mark. Whoever survives the bench can hand it to KillLeft.
func Mark() string { return mark }

// KillLeft ends what the clients of a bench with that mark have left behind.
func KillLeft(mark string) {
	if mark != "" {
		killMarked(markName + "=" + mark)
	}
}
