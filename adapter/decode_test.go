package adapter

import (
	"encoding/json"
	"testing"
)

// What decode takes for a message says the same when it is written and read again.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"type":"hello","protocol":1,"bench":"1.0"}`,
		`{"type":"operation","op":"a","client":"c","url":"http://x/","method":"GET","budget_ms":1000,"policy":{"max_attempts":3,"backoff_ms":[100,200],"retryable_statuses":[503],"retryable_failures":["attempt_timeout"]},"attempt":{"total_ms":400,"connect_ms":null,"sock_connect_ms":300.5,"sock_read_ms":null},"pool":{"limit":1},"slots":1}`,
		`{"type":"hold_slot","op":"h","client":"c","slots":1}`, `{"type":"release","op":"h","at_ns":12345}`,
		`{"type":"cancel","op":"a"}`, `{"type":"close","client":"c"}`, `{"type":"shutdown"}`,
		`{"type":"dance"}`, `{}`, `[]`, `nonsense`, `{"type":"operation","op":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		message, err := decode(data)
		if err != nil || message == nil {
			return
		}
		written, err := json.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		again, err := decode(written)
		if err != nil {
			t.Fatalf("%s was read, but not %s: %v", data, written, err)
		}
		if twice, _ := json.Marshal(again); string(twice) != string(written) {
			t.Errorf("%s became %s", written, twice)
		}
	})
}

func TestEventsSayZero(t *testing.T) {
	for want, e := range map[string]Event{
		`{"type":"event","op":"a","event":"body_finished","attempt":1,"bytes":0}`:        {Type: TypeEvent, Op: "a", Event: BodyFinished, Attempt: 1},
		`{"type":"event","op":"a","event":"backoff_started","attempt":1,"planned_ms":0}`: {Type: TypeEvent, Op: "a", Event: BackoffStarted, Attempt: 1},
		`{"type":"event","op":"a","event":"deadline_fired"}`:                             {Type: TypeEvent, Op: "a", Event: DeadlineFired},
	} {
		if got, err := json.Marshal(e); err != nil || string(got) != want {
			t.Errorf("%s, %v\nexpected %s", got, err, want)
		}
	}
}
