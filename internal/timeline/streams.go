package timeline

import (
	"cmp"
	"slices"
)

// The two sides, as indices and as the words of a log's header.
const (
	client = 0
	server = 1
)

var sides = [2]string{"client", "server"}

// stream is one log: the positions of its events in the order of their
// sequence numbers.
type stream struct {
	exp   string
	order []int32
}

// split divides a side's events into its logs, ordered by experiment name.
func split(events Events, byExperiment bool) []stream {
	names, member, sizes := experiments(events, byExperiment)
	streams := make([]stream, len(names))
	for i, name := range names {
		streams[i] = stream{exp: name, order: make([]int32, 0, sizes[i])}
	}
	for i := range events.Len() {
		s := &streams[member[i]]
		s.order = append(s.order, int32(i))
	}
	for i := range streams {
		streams[i].sort(events)
	}
	slices.SortStableFunc(streams, func(a, b stream) int { return cmp.Compare(a.exp, b.exp) })
	return streams
}

// experiments numbers the experiments in the order of their first event.
func experiments(events Events, byExperiment bool) (names []string, member []int32, sizes []int) {
	member = make([]int32, events.Len())
	known := map[string]int32{}
	last, lastName := int32(-1), ""
	for i := range member {
		name := ""
		if byExperiment {
			name = events.Exp(i)
		}
		if last < 0 || name != lastName {
			id, seen := known[name]
			if !seen {
				id = int32(len(names))
				known[name] = id
				names, sizes = append(names, name), append(sizes, 0)
			}
			last, lastName = id, name
		}
		member[i] = last
		sizes[last]++
	}
	return names, member, sizes
}

func (s *stream) sort(events Events) {
	bySeq := func(a, b int32) int {
		seqA, tA := events.Place(int(a))
		seqB, tB := events.Place(int(b))
		return cmp.Or(cmp.Compare(seqA, seqB), cmp.Compare(tA, tB))
	}
	if !slices.IsSortedFunc(s.order, bySeq) {
		slices.SortStableFunc(s.order, bySeq)
	}
}
