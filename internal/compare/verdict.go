package compare

// Verdict is how new stands against old.
type Verdict string

// The verdicts. Worse, better, same and inconclusive are a series' and a
// comparison's; the others say what a change is that nobody may call better.
const (
	Worse        Verdict = "worse"
	Better       Verdict = "better"
	Same         Verdict = "same"
	Inconclusive Verdict = "inconclusive"
	Sooner       Verdict = "sooner"  // the same failure came earlier: gave up sooner
	More         Verdict = "more"    // more attempts or requests: a regression
	Fewer        Verdict = "fewer"   // fewer of them
	Changed      Verdict = "changed" // something moved, nothing is worse or better
)

// sum is the verdict of a whole from its parts: a regression in one outweighs
// doubt in another, doubt outweighs what became better.
func sum(parts []Verdict) Verdict {
	has := map[Verdict]bool{}
	for _, v := range parts {
		has[v] = true
	}
	switch {
	case has[Worse] || has[More]:
		return Worse
	case has[Inconclusive]:
		return Inconclusive
	case has[Better]:
		return Better
	case has[Sooner] || has[Fewer] || has[Changed]:
		return Changed
	}
	return Same
}

// Mark is the verdict as a table shows it: ~ for no difference.
func (v Verdict) Mark() string {
	if v == Same {
		return "~"
	}
	return string(v)
}
