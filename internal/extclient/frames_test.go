package extclient

import "testing"

// What went wrong stands before the calls in some traces, and behind them in others.
func TestLastWordsOfTraces(t *testing.T) {
	for name, c := range map[string]struct{ stderr, want string }{
		"Node":   {"/a/b.js:103\n  nnow();\n  ^\n\nReferenceError: nnow is not defined\n    at operation (/a/b.js:103:3)\n    at Interface.<anonymous> (/a/b.js:9:1)\n    at async file:///a/c.mjs:1:1\n    ... 2 lines matching cause stack trace ...\n\nNode.js v20.20.2\n", `/a/b.js:103\n  nnow();\n  ^\n\nReferenceError: nnow is not defined\n\nNode.js v20.20.2`},
		"Java":   {"Exception in thread \"main\" java.lang.IllegalStateException: no\n\tat A.main(A.java:3)\nCaused by: java.io.IOException: why\n\tat A.b(A.java:9)\n\t... 1 more\n", `Exception in thread \"main\" java.lang.IllegalStateException: no\nCaused by: java.io.IOException: why`},
		"Go":     {"note\npanic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.main()\n\t/a/main.go:5 +0x1d\nexit status 2\n", `note\npanic: assignment to entry in nil map`},
		"Python": {"Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    nnow()\nNameError: name 'nnow' is not defined\n", `Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    nnow()\nNameError: name 'nnow' is not defined`},
		".NET":   {"Unhandled exception. System.InvalidOperationException: no\n   at A.Main(String[] args) in /a/A.cs:line 3\n", `Unhandled exception. System.InvalidOperationException: no`},
		"words":  {"usage: client URL\n  at least one URL is expected\n", `usage: client URL\n  at least one URL is expected`},
		"none":   {" \n", ""},
	} {
		want := c.want
		if want != "" {
			want = `; its standard error ends with "` + want + `"`
		}
		if got := lastWords(c.stderr); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}
