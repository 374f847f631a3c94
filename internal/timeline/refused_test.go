package timeline_test

import (
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/timeline"
)

// Requests that the server refused, since they name no operation of the run, make
// neither the logs nor the operation before them on their connection invalid:
// they are counted, and the first of their paths are named, cut and escaped.
func TestRefused(t *testing.T) {
	const call = "c 0 operation_started\nc 0 attempt_started @1\ns 1 server_request_started #1 @1 conn=k\ns 2 server_handler_finished #1\nc 3 attempt_finished @1\nc 3 operation_finished outcome=success"
	long := strings.Repeat("é", 96)
	for _, c := range []struct {
		name, events, want string
	}{
		{"none", "", ""},
		{"one", "s 3 unscripted op=ox status=599 conn=k", `1 request was refused, for no operation of the run: "/op/ox/"; does a client change its URL?`},
		{"of an older log", "s 3 unscripted op=ox\ns 4 unscripted op=ox", `2 requests were refused, for no operation of the run: "/op/ox/"; does a client change its URL?`},
		{"many", "s 3 unscripted op=a\ns 3 unscripted op=b\ns 3 unscripted op=\x1b[31m\ns 3 unscripted op=d\ns 3 unscripted op=a",
			`5 requests were refused, for no operation of the run: "/op/a/", "/op/b/", "/op/\x1b[31m/" and others; does a client change its URL?`},
		{"long", "s 3 unscripted op=" + long, `1 request was refused, for no operation of the run: "/op/` + strings.Repeat("é", 56) + `…"; does a client change its URL?`},
		{"no id", "s 3 unscripted op= status=599 error=path", `1 request was refused, for no operation of the run: "path"; does a client change its URL?`},
		{"another refusal", "s 3 unscripted op= status=413", ""},
	} {
		run, _ := merged(t, call+"\n"+c.events)
		s := only(t, run)
		got := ""
		for _, w := range s.Warnings {
			if strings.Contains(w, "refused") {
				got = w
			}
		}
		if got != c.want || len(run.Problems) != 0 || s.N != 1 {
			t.Errorf("%s: %q, want %q; problems %v, n %d", c.name, got, c.want, run.Problems, s.N)
		}
	}
}

// A request that names another operation is not the connection's last one's; a
// part of an exchange that no client's operation had is a forgery.
func TestRefusedIsNoExchange(t *testing.T) {
	for _, events := range []string{"s 3 server_request_started #1 op=ox", "s 3 unscripted #1 op=ox"} {
		run, _ := merged(t, "c 0 operation_started\nc 3 operation_finished outcome=success\n"+events)
		if len(run.Problems) != 1 || run.Problems[0].Requirement != timeline.KnownOperation {
			t.Errorf("%s: %v", events, run.Problems)
		}
	}
}
