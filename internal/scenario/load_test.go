package scenario

import "testing"

func TestEmbeddedScenariosLoad(t *testing.T) {
	for _, file := range embedded() {
		if _, err := parseEmbedded(file); err != nil {
			t.Errorf("%s:\n%v", file, err)
		}
	}
	if got := len(Core()); got != 11 {
		t.Errorf("%d core scenarios, want 11", got)
	}
}
