package extclient

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/deadlinelab/deadlinelab/adapter"
)

func many(n int) map[string]string {
	settings := map[string]string{}
	for i := range n {
		settings[strings.Repeat("x", i+1)] = "y"
	}
	return settings
}

// A hello is checked whole; nil takes a key out of it.
func TestHelloRefused(t *testing.T) {
	for _, c := range []struct {
		key   string
		value any
		want  string
	}{
		{"protocol", 2, `found protocol 2, expected protocol 1, the only one`},
		{"protocol", "1", `found "protocol": "1", expected a whole number`},
		{"protocol", nil, `found no "protocol", expected the number of the protocol that it speaks, 1`},
		{"name", nil, `found no "name"`},
		{"name", "", `found "name": "", expected 1 to 64 printable characters`},
		{"name", "a\nb", `expected 1 to 64 printable characters`},
		{"version", strings.Repeat("1", 65), `expected 1 to 64 printable characters`},
		{"version", 3, `found "version": 3`},
		{"language", strings.Repeat("l", 101), `expected 1 to 100 printable characters`},
		{"settings", []string{}, `expected an object of at most 32 texts`},
		{"settings", many(33), `expected an object of at most 32 texts`},
		{"settings", map[string]any{"retries": 3}, `found "settings": {"retries": 3}, expected a name`},
		{"settings", map[string]any{"a": strings.Repeat("x", 201)}, `a text of at most 200 printable characters`},
		{"settings", json.RawMessage(`{"a":"1","a":"2"}`), `each key once`},
		{"capabilities", "cancel", `found "capabilities": "cancel", expected a list of texts`},
		{"capabilities", []string{"cancle"}, `found the capability "cancle", expected one of cancel, pool, slots, attempts, backoff, body, caller_deadline; did you mean "cancel"?`},
		{"capabilities", []string{"pool", "pool"}, `found the capability "pool" twice, expected each capability once`},
		{"clock", nil, `found no "clock", expected "monotonic" or "none"`},
		{"clock", "wall", `found "clock": "wall", expected "monotonic" or "none"`},
		{"type", "event", `found a message of type "event", expected its hello first`},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(t)
			go func() {
				f.ask()
				hello := maps.Clone(capable)
				if hello[c.key] = c.value; c.value == nil {
					delete(hello, c.key)
				}
				f.say(hello)
			}()
			err := f.session.exchangeHello(t.Context(), "test")
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "client fake: on its standard output: ") {
				t.Errorf("%s %v: %v, want %q in it", c.key, c.value, err, c.want)
			}
			f.session.stop()
		})
	}
}

// What a later version may say besides is ignored.
func TestHelloOfALaterVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := greeted(t, map[string]any{"colour": "blue", "language": nil, "settings": nil, "capabilities": nil})
		f.say(map[string]any{"type": "progress", "percent": 3})
		synctest.Wait()
		if why := f.session.whyBroken(); why != nil {
			t.Error(why)
		}
		v := f.session.variant([]string{"x"}, 0)
		if v.External.AtOnce != AdapterAtOnce || v.External.Program != "fake" || v.External.Able(adapter.CanCancel) || v.Summary != "fake 1.2, in a process of its own" {
			t.Errorf("%+v %+v", v, v.External)
		}
		f.session.stop()
	})
}
