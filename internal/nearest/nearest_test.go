package nearest

import "testing"

func TestDidYouMean(t *testing.T) {
	names := []string{"slow_headers", "slow_body", "pool_wait", "all", "url"}
	for name, want := range map[string]string{
		"slow_header":  `; did you mean "slow_headers"?`,
		"SLOW_BODY":    `; did you mean "slow_body"?`,
		"polo_wait":    `; did you mean "pool_wait"?`,
		"retry_storms": "",
		"tls":          "",
		"aal":          `; did you mean "all"?`,
		"uri":          `; did you mean "url"?`,
		"URL":          `; did you mean "url"?`,
		"ulr_":         `; did you mean "url"?`,
		"x":            "",
		"":             "",
	} {
		if got := DidYouMean(name, names); got != want {
			t.Errorf("DidYouMean(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"abc", "abc", 0}, {"ab", "ba", 1}, {"rnu", "run", 1}, {"tls", "all", 2}} {
		if got := edits(c.a, c.b); got != c.want {
			t.Errorf("edits(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := edits(c.b, c.a); got != c.want {
			t.Errorf("edits(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}
