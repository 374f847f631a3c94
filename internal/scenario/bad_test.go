package scenario

import (
	"strings"
	"testing"

	"github.com/deadlinelab/deadlinelab/internal/fault"
)

// badFiles are files that must be refused, with the whole text of the error.
// A text that starts with "-" edits the small file: - old line, + new lines.
var badFiles = []struct{ name, text, want string }{
	{"empty", "",
		`x.yaml:1:1: found an empty file, expected one YAML document; write the keys name, question, lesson, contrast, operation, scenario, variants and expect`},
	{"comment only", "# nothing\n",
		`x.yaml:1:1: found an empty file, expected one YAML document; write the keys name, question, lesson, contrast, operation, scenario, variants and expect`},
	{"null", "~\n",
		`x.yaml:1:1: found null, expected a mapping of keys to values; write its keys below it, indented, one a line`},
	{"word", "word\n",
		`x.yaml:1:1: found "word", expected a mapping of keys to values; write its keys below it, indented, one a line`},
	{"list", "[1, 2]\n",
		`x.yaml:1:1: found a list, expected a mapping of keys to values; write its keys below it, indented, one a line`},
	{"second document", small + "---\nname: b\n",
		`x.yaml:11:1: found a second YAML document, expected one document a file; move it to a file of its own`},
	{"broken second document", small + "---\n[\n",
		`x.yaml:12:1: found broken YAML (did not find expected node content), expected YAML that can be parsed; look at this line and the one above it: indentation, quotes and brackets`},
	{"tab", "name: a\n\tquestion: b\n",
		`x.yaml:2:2: found broken YAML (found a tab character that violates indentation), expected YAML that can be parsed; look at this line and the one above it: indentation, quotes and brackets`},
	{"colon", "name: a\n  b: c\n",
		`x.yaml:2:3: found broken YAML (mapping values are not allowed in this context), expected YAML that can be parsed; look at this line and the one above it: indentation, quotes and brackets`},
	{"unclosed", "name: [a\n",
		`x.yaml:1:1: found broken YAML (did not find expected ',' or ']'), expected YAML that can be parsed; look at this line and the one above it: indentation, quotes and brackets`},
	{"unknown anchor", "name: a\nlesson: *b\n",
		`x.yaml:2:9: found broken YAML (unknown anchor 'b' referenced), expected YAML that can be parsed; look at this line and the one above it: indentation, quotes and brackets`},
	{"not UTF-8", "name: ä\nlesson: ü\xff\n",
		`x.yaml:2:10: found the byte 0xff, expected UTF-8 text without control characters; save the file as UTF-8`},
	{"control character", "name: a\x01\n",
		`x.yaml:1:8: found the byte 0x01, expected UTF-8 text without control characters; save the file as UTF-8`},

	{"unknown key", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 1000, max_atempts: 2}",
		`x.yaml:5:30: operation.max_atempts: found an unknown key, expected one of budget_ms, max_attempts, backoff_ms, jitter, retryable_statuses, retryable_failures; did you mean "max_attempts"?`},
	{"unknown key, no name near", "-slots\n+frobnicate: 1",
		`x.yaml:8:1: frobnicate: found an unknown key, expected one of name, rung, question, lesson, contrast, operation, attempt, pool, slots, method, body_bytes, idempotency_key, caller_deadline_ms, callers, scenario, variants, expect; remove it`},
	{"unknown key of the upstream", "-scenario: {type: healthy}\n+scenario: {type: healthy, respose_delay_ms: 2}",
		`x.yaml:6:27: scenario.respose_delay_ms: found an unknown key, expected one of type, handler_cancellation, response_delay_ms; did you mean "response_delay_ms"?`},
	{"unknown key of a step", "-scenario: {type: healthy}\n+scenario: {type: transient_error, steps: [{status: 200, delay: 2}]}",
		`x.yaml:6:57: scenario.steps[0].delay: found an unknown key, expected one of status, delay_ms; did you mean "delay_ms"?`},
	{"unknown key of an expectation", "-  a: {outcome: success}\n+  a: {outcome: success, duration: 2}",
		`x.yaml:9:25: expect.a.duration: found an unknown key, expected one of outcome, duration_ms, attempts, server_requests, late, in_budget, overshoot_ms, cancel_to_return_ms, headers_received, body_complete, waste_ms, commits, group_requests, peak_arrivals, peak_retry_arrivals, leaks; did you mean "duration_ms"?`},
	{"unknown key of a window", "-  a: {outcome: success}\n+  a: {duration_ms: {min: 2}}",
		`x.yaml:9:21: expect.a.duration_ms.min: found an unknown key, expected one of min_ms, max_ms; did you mean "min_ms"?`},
	{"reserved key", "-slots\n+protocol: h2",
		`x.yaml:8:1: protocol: found a reserved key, expected only keys that this version supports; remove it: its meaning is agreed, but nothing acts on it yet`},
	{"unknown method", "-slots\n+method: post",
		`x.yaml:8:9: method: found "post", expected one of GET, HEAD, PUT, POST, PATCH, DELETE; choose one of these`},
	{"body of a GET", "-slots\n+body_bytes: 5",
		`x.yaml:8:13: body_bytes: found 5, expected 0, because the method is GET; write method: POST, or remove the body`},
	{"huge body", "-slots\n+body_bytes: 67108865",
		`x.yaml:8:13: body_bytes: found 67108865, expected a whole number in 0 … 67108864 bytes; choose another value`},
	{"callers without a count", "-slots\n+callers: {share: [transport]}",
		`x.yaml:8:10: callers.count: found nothing, expected the number of callers, 1 … 1000; add the key, or remove callers`},
	{"no callers", "-slots\n+callers: {count: 0}",
		`x.yaml:8:18: callers.count: found 0, expected a whole number in 1 … 1000; choose another value`},
	{"callers share a word", "-slots\n+callers: {count: 2, share: [transports]}",
		`x.yaml:8:29: callers.share[0]: found "transports", expected one of transport, slots; did you mean "transport"?`},
	{"callers share twice", "-slots\n+callers: {count: 2, share: [transport, transport]}",
		`x.yaml:8:40: callers.share[1]: found "transport" a second time, expected each entry once; remove it`},
	{"callers share no slots", "-slots\n+callers: {count: 2, share: [slots]}",
		`x.yaml:1:1: slots: found 0, expected at least 1, because the callers share the slots; write slots: 1`},
	{"callers beside a held slot", "-scenario: {type: healthy}\n+scenario: {type: semaphore_wait}\n+callers: {count: 2}",
		`x.yaml:7:10: callers.share: found callers with slots of their own, expected slots, because semaphore_wait holds the only slot; write share: [slots]`},
	{"callers beside a held connection", "-scenario: {type: healthy}\n+scenario: {type: pool_wait}\n+pool: {limit: 1}\n+callers: {count: 2}",
		`x.yaml:8:10: callers.share: found callers with a transport of their own, expected transport, because pool_wait holds the only connection; write share: [transport]`},
	{"callers behind another operation", "-scenario: {type: healthy}\n+scenario: {type: backoff_holds_slot}\n+slots: 1\n+callers: {count: 2}",
		`x.yaml:8:10: callers: found several callers, expected one, because backoff_holds_slot has an operation of its own go first; remove callers, or choose another type`},
	{"peak of one caller", "-  b: {outcome: success}\n+  b: {outcome: success, peak_arrivals: 3}",
		`x.yaml:10:40: expect.b.peak_arrivals: found an expectation of a group, expected callers in the scenario; add callers, or remove the key`},
	{"empty leaks", "-  b: {outcome: success}\n+  b: {outcome: success, leaks: {}}",
		`x.yaml:10:32: expect.b.leaks: found an empty expectation, expected at least one leak; remove the key: nothing may leak without it`},
	{"leak without a name", "-  b: {outcome: success}\n+  b: {outcome: success, leaks: {dial: 3}}",
		`x.yaml:10:33: expect.b.leaks.dial: found an unknown key, expected one of goroutines, connections, dials, slots, handlers, server_connections, probe, probe_ms; did you mean "dials"?`},
	{"leak below none", "-  b: {outcome: success}\n+  b: {outcome: success, leaks: {dials: {min: -1}}}",
		`x.yaml:10:46: expect.b.leaks.dials.min: found -1, expected a whole number in 0 … 100000; choose another value`},
	{"unknown end of a probe", "-  b: {outcome: success}\n+  b: {outcome: success, leaks: {probe: fine}}",
		`x.yaml:10:40: expect.b.leaks.probe: found "fine", expected one of success, deadline_exceeded, attempt_timeout, connect_timeout, retries_exhausted, unexpected_status, cancelled, connect_error, transport_error, invalid_data, refused, cap_reached, client_error; choose one of these`},
	{"top key in the operation", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 1000, method: POST}",
		`x.yaml:5:30: operation.method: found a key of the file's top, expected one of budget_ms, max_attempts, backoff_ms, jitter, retryable_statuses, retryable_failures; write it without indentation`},
	{"reserved word elsewhere", "-scenario: {type: healthy}\n+scenario: {type: healthy, method: POST}",
		`x.yaml:6:27: scenario.method: found an unknown key, expected one of type, handler_cancellation, response_delay_ms; remove it`},
	{"merge key", "-  b: {outcome: success}\n+  b:\n+    <<: {outcome: success}",
		`x.yaml:11:5: expect.b.<<: found a merge key, expected one of outcome, duration_ms, attempts, server_requests, late, in_budget, overshoot_ms, cancel_to_return_ms, headers_received, body_complete, waste_ms, commits, group_requests, peak_arrivals, peak_retry_arrivals, leaks; write the merged keys out`},
	{"duplicate key", "-slots\n+name: tiny",
		`x.yaml:8:1: name: found the key a second time, expected each key once; remove this one or that in line 1`},
	{"duplicate variant of expect", "-  b: {outcome: success}\n+  b: {outcome: success}\n+  b: {outcome: success}",
		`x.yaml:11:3: expect.b: found the key a second time, expected each key once; remove this one or that in line 10`},
	{"list as a key", "-slots\n+? [a]\n+: 1",
		`x.yaml:8:3: ?: found a list as a key, expected a name as a key; write a plain word before the colon`},

	{"text for a number", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: \"1000\"}",
		`x.yaml:5:24: operation.budget_ms: found "1000", expected a number in 1 … 120000 ms; write it without quotes and without a unit`},
	{"unit", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 1s}",
		`x.yaml:5:24: operation.budget_ms: found "1s", expected a number in 1 … 120000 ms; write it without quotes and without a unit`},
	{"list for a number", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: [1000]}",
		`x.yaml:5:24: operation.budget_ms: found a list, expected a number in 1 … 120000 ms; write it without quotes and without a unit`},
	{"null for a number", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: null}",
		`x.yaml:5:24: operation.budget_ms: found null, expected a number in 1 … 120000 ms; write it without quotes and without a unit`},
	{"fraction for a count", "-slots\n+slots: 1.5",
		`x.yaml:8:8: slots: found 1.5, expected a whole number in 0 … 10000; write digits only`},
	{"number for a list", "-variants: [a, b]\n+variants: a",
		`x.yaml:7:11: variants: found "a", expected a list, such as [a, b]; put the value in brackets`},
	{"number for a text", "-lesson: It is.\n+lesson: 5",
		`x.yaml:3:9: lesson: found 5, expected text; put it in quotes if it is meant as text`},
	{"text for a mapping", "-operation: {budget_ms: 1000}\n+operation: fast",
		`x.yaml:5:12: operation: found "fast", expected a mapping of keys to values; write its keys below it, indented, one a line`},
	{"mapping for a text", "-lesson: It is.\n+lesson: {a: b}",
		`x.yaml:3:9: lesson: found a mapping, expected text; put it in quotes if it is meant as text`},
	{"word for a boolean", "-  a: {outcome: success}\n+  a: {outcome: success, late: nope}",
		`x.yaml:9:31: expect.a.late: found "nope", expected true or false; write true or false, without quotes`},
	{"jitter true", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 1000, jitter: true}",
		`x.yaml:5:38: operation.jitter: found true, expected false or {min_ms, max_ms}; write false for no jitter`},
	{"own tag", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: !ms 1000}",
		`x.yaml:5:24: operation.budget_ms: found !ms "1000", expected a number in 1 … 120000 ms; write it without quotes and without a unit`},

	{"NaN", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: .nan}",
		`x.yaml:5:24: operation.budget_ms: found .nan, expected a finite number in 1 … 120000 ms; choose another value`},
	{"infinite", "-slots\n+attempt: {total_ms: .inf}",
		`x.yaml:8:21: attempt.total_ms: found .inf, expected a finite number in 0.001 … 120000 ms; write null for no limit`},
	{"NaN in an expectation", "-  a: {outcome: success}\n+  a: {outcome: success, duration_ms: .NaN}",
		`x.yaml:9:38: expect.a.duration_ms: found .NaN, expected a finite number in 0 … 365000 ms; choose another value`},
	{"negative", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: -1}",
		`x.yaml:5:24: operation.budget_ms: found -1, expected a finite number in 1 … 120000 ms; choose another value`},
	{"huge budget", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 120001}",
		`x.yaml:5:24: operation.budget_ms: found 120001, expected a finite number in 1 … 120000 ms; choose another value`},
	{"zero attempts", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 1000, max_attempts: 0}",
		`x.yaml:5:44: operation.max_attempts: found 0, expected a whole number in 1 … 100; choose another value`},
	{"many attempts", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 1000, max_attempts: 101}",
		`x.yaml:5:44: operation.max_attempts: found 101, expected a whole number in 1 … 100; choose another value`},
	{"beyond 64 bits", "-slots\n+slots: 99999999999999999999",
		`x.yaml:8:8: slots: found 99999999999999999999, expected a whole number in 0 … 10000; write digits only`},
	{"negative backoff", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 1000, backoff_ms: [1, -1]}",
		`x.yaml:5:46: operation.backoff_ms[1]: found -1, expected a finite number in 0 … 120000 ms; choose another value`},
	{"no backoff", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 1000, backoff_ms: []}",
		`x.yaml:5:42: operation.backoff_ms: found 0 entries, expected 1 … 100 entries; write [0] for no pause`},
	{"jitter upside down", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 1000, jitter: {min_ms: 3, max_ms: 2}}",
		`x.yaml:5:38: operation.jitter: found min_ms 3 above max_ms 2, expected min_ms ≤ max_ms; swap them`},
	{"jitter without an end", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 1000, jitter: {min_ms: 3}}",
		`x.yaml:5:38: operation.jitter.max_ms: found nothing, expected the greatest addition in ms; add the key, or write jitter: false`},
	{"status out of range", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 1000, retryable_statuses: [503, 99]}",
		`x.yaml:5:56: operation.retryable_statuses[1]: found 99, expected a whole number in 100 … 599; choose another value`},
	{"status twice", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 1000, retryable_statuses: [503, 503]}",
		`x.yaml:5:56: operation.retryable_statuses[1]: found 503 a second time, expected each entry once; remove it`},
	{"unknown failure", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 1000, retryable_failures: [connect_timout]}",
		`x.yaml:5:51: operation.retryable_failures[0]: found "connect_timout", expected one of attempt_timeout, connect_timeout, connect_error, transport_error, invalid_data; did you mean "connect_timeout"?`},
	{"status as a failure", "-operation: {budget_ms: 1000}\n+operation: {budget_ms: 1000, retryable_failures: [unexpected_status]}",
		`x.yaml:5:51: operation.retryable_failures[0]: found "unexpected_status", expected one of attempt_timeout, connect_timeout, connect_error, transport_error, invalid_data; choose one of these; statuses belong into retryable_statuses`},
	{"limit of 0", "-slots\n+attempt: {total_ms: 0}",
		`x.yaml:8:21: attempt.total_ms: found 0, expected a finite number in 0.001 … 120000 ms; write null for no limit`},
	{"negative slots", "-slots\n+slots: -1",
		`x.yaml:8:8: slots: found -1, expected a whole number in 0 … 10000; choose another value`},
	{"huge slots", "-slots\n+slots: 10001",
		`x.yaml:8:8: slots: found 10001, expected a whole number in 0 … 10000; choose another value`},
	{"huge pool", "-slots\n+pool: {limit: 10001}",
		`x.yaml:8:15: pool.limit: found 10001, expected a whole number in 0 … 10000; choose another value`},

	{"unknown type", "-scenario: {type: healthy}\n+scenario: {type: helthy}",
		`x.yaml:6:18: scenario.type: found "helthy", expected one of ` + names(fault.Names()) + `; did you mean "healthy"?`},
	{"no type", "-scenario: {type: healthy}\n+scenario: {response_delay_ms: 20}",
		`x.yaml:6:11: scenario.type: found nothing, expected the kind of upstream; add the key`},
	{"empty upstream", "-scenario: {type: healthy}\n+scenario:",
		`x.yaml:6:10: scenario: found null, expected a mapping of keys to values; write its keys below it, indented, one a line`},
	{"huge delay", "-scenario: {type: healthy}\n+scenario: {type: healthy, response_delay_ms: 120001}",
		`x.yaml:6:46: scenario.response_delay_ms: found 120001, expected a finite number in 0 … 120000 ms; choose another value`},
	{"what the fault refuses", "-scenario: {type: healthy}\n+scenario: {type: persistent_error, status: 599}",
		`x.yaml:6:44: scenario.status: found 599, expected an HTTP status from 200 to 598 (599 means: not scripted); choose another value`},
	{"what the fault refuses in a step", "-scenario: {type: healthy}\n+scenario: {type: transient_error, steps: [{status: 200}, {status: 12}]}",
		`x.yaml:6:67: scenario.steps[1].status: found 12, expected an HTTP status from 200 to 598 (599 means: not scripted); choose another value`},
	{"what the fault misses", "-scenario: {type: healthy}\n+scenario: {type: transient_error, steps: []}",
		`x.yaml:6:42: scenario.steps: found 0 steps, expected 1 to 1000 steps {status, delay_ms}; choose another value`},
	{"held slot without slots", "-scenario: {type: healthy}\n+scenario: {type: semaphore_wait}\n+slots: 0",
		`x.yaml:7:8: slots: found 0, expected 1, because semaphore_wait holds the only slot; write slots: 1`},
	{"held connection without a pool", "-scenario: {type: healthy}\n+scenario: {type: pool_wait}",
		`x.yaml:1:1: pool: found no limit, expected a limit of 1, because pool_wait holds the only connection; write pool: {limit: 1}`},
	{"held connection of many", "-scenario: {type: healthy}\n+scenario: {type: pool_wait}\n+pool: {limit: 2}",
		`x.yaml:7:7: pool: found {limit: 2, limit_per_host: 0}, expected a limit of 1, because pool_wait holds the only connection; write pool: {limit: 1}`},

	{"no name", "-name: tiny\n+",
		`x.yaml:1:1: name: found nothing, expected a name, [a-z0-9_]+; add the key`},
	{"bad name", "-name: tiny\n+name: Tiny-1",
		`x.yaml:1:7: name: found "Tiny-1", expected 1 … 48 of a-z, 0-9 and _, for it becomes part of operation ids; rename the scenario`},
	{"empty question", "-question: Is it short?\n+question: \"  \"",
		`x.yaml:2:11: question: found an empty text, expected a sentence; write it: the demo prints it`},
	{"control character", "-question: Is it short?\n+question: \"Is it \\e[31mred?\"",
		`x.yaml:2:11: question: found the control character U+001B, expected plain text; remove it: terminals obey such characters`},
	{"endless question", "-question: Is it short?\n+question: " + strings.Repeat("ä", 4001),
		`x.yaml:2:11: question: found 4001 characters, expected at most 4000; shorten it: the demo prints it`},
	{"no budget", "-operation: {budget_ms: 1000}\n+operation: {max_attempts: 2}",
		`x.yaml:5:12: operation.budget_ms: found nothing, expected the caller's budget, 1 … 120000 ms; add the key`},
	{"no operation", "-operation: {budget_ms: 1000}\n+",
		`x.yaml:1:1: operation.budget_ms: found nothing, expected the caller's budget, 1 … 120000 ms; add the key`},
	{"no variants", "-variants: [a, b]\n+variants: []",
		`x.yaml:7:11: variants: found no variant, expected at least two; list the variants that take part`},
	{"variant twice", "-variants: [a, b]\n+variants: [a, b, a]",
		`x.yaml:7:18: variants[2]: found "a" a second time, expected each entry once; remove it`},
	{"bad variant", "-variants: [a, b]\n+variants: [a, b, c d]",
		`x.yaml:7:18: variants[2]: found "c d", expected the name of a variant; bench list --variants shows them`},
	{"contrast of one", "-contrast: [a, b]\n+contrast: [a]",
		`x.yaml:4:11: contrast: found 1 entries, expected two variants; name the two whose difference shows the lesson`},
	{"contrast with itself", "-contrast: [a, b]\n+contrast: [a, a]",
		`x.yaml:4:15: contrast[1]: found "a" a second time, expected each entry once; remove it`},
	{"contrast that does not take part", "-contrast: [a, b]\n+contrast: [a, c]",
		`x.yaml:4:15: contrast[1]: found "c", expected one of the variants listed: a, b; list it under variants too`},
	{"expectation missing", "-variants: [a, b]\n+variants: [a, b, c]",
		`x.yaml:7:18: variants[2]: found "c" without an expectation, expected expect.c; add it, or take the variant off the list`},
	{"expectation for nobody", "-  b: {outcome: success}\n+  b: {outcome: success}\n+  c: {outcome: success}",
		`x.yaml:11:6: expect.c: found an expectation for a variant that is not listed, expected one of a, b; list it under variants too`},
	{"empty expectation", "-  b: {outcome: success}\n+  b: {}",
		`x.yaml:10:6: expect.b: found an empty expectation, expected at least an outcome; write what this variant must show`},
	{"unknown outcome", "-  b: {outcome: success}\n+  b: {outcome: deadline_exeeded}",
		`x.yaml:10:16: expect.b.outcome: found "deadline_exeeded", expected one of success, deadline_exceeded, attempt_timeout, connect_timeout, retries_exhausted, unexpected_status, cancelled, connect_error, transport_error, invalid_data, refused, cap_reached, client_error; did you mean "deadline_exceeded"?`},

	{"window upside down", "-  b: {outcome: success}\n+  b: {duration_ms: {min_ms: 2, max_ms: 1}}",
		`x.yaml:10:20: expect.b.duration_ms: found min_ms 2 above max_ms 1, expected min_ms ≤ max_ms; swap them`},
	{"count upside down", "-  b: {outcome: success}\n+  b: {attempts: {min: 2, max: 1}}",
		`x.yaml:10:17: expect.b.attempts: found min 2 above max 1, expected min ≤ max; swap them`},
	{"window without ends", "-  b: {outcome: success}\n+  b: {duration_ms: {}}",
		`x.yaml:10:20: expect.b.duration_ms: found a window without ends, expected min_ms, max_ms or both; give at least one of them`},
	{"negative end", "-  b: {outcome: success}\n+  b: {duration_ms: {min_ms: -2}}",
		`x.yaml:10:29: expect.b.duration_ms.min_ms: found -2, expected a finite number in 0 … 365000 ms; choose another value`},
	{"more attempts than allowed", "-  b: {outcome: success}\n+  b: {attempts: 4}",
		`x.yaml:10:17: expect.b.attempts: found 4, expected at most operation.max_attempts, 3; change one of the two`},
	{"requests without attempts", "-  b: {outcome: success}\n+  b: {attempts: 0, server_requests: 1}",
		`x.yaml:10:37: expect.b.server_requests: found 1, expected 0, because attempts is 0; change one of the two`},
	{"exhausted by nothing", "-  b: {outcome: success}\n+  b: {outcome: retries_exhausted, attempts: 0}",
		`x.yaml:10:16: expect.b.outcome: found retries_exhausted, expected the failure itself where no further attempt is allowed; change one of the two`},
	{"failure in budget", "-  b: {outcome: success}\n+  b: {outcome: cancelled, in_budget: true}",
		`x.yaml:10:38: expect.b.in_budget: found true, expected false, because cancelled is not a success; change one of the two`},
	{"late and in budget", "-  b: {outcome: success}\n+  b: {late: true, in_budget: true}",
		`x.yaml:10:30: expect.b.in_budget: found true, expected false, because late is true; change one of the two`},
	{"late but short", "-  b: {outcome: success}\n+  b: {late: true, duration_ms: 900}",
		`x.yaml:10:13: expect.b.late: found true, expected false, because duration_ms is at most 900 of a budget of 1000 ms; change one of the two`},
	{"in time but long", "-  b: {outcome: success}\n+  b: {late: false, duration_ms: 1120}",
		`x.yaml:10:13: expect.b.late: found false, expected true, because duration_ms is at least 1120 of a budget of 1000 ms; change one of the two`},
	{"in budget but long", "-  b: {outcome: success}\n+  b: {in_budget: true, duration_ms: {min_ms: 1120}}",
		`x.yaml:10:18: expect.b.in_budget: found true, expected false, because duration_ms is at least 1120 of a budget of 1000 ms; change one of the two`},
	{"body without headers", "-  b: {outcome: success}\n+  b: {headers_received: false, body_complete: true}",
		`x.yaml:10:47: expect.b.body_complete: found true, expected false, because headers_received is false; change one of the two`},
	{"success without headers", "-  b: {outcome: success}\n+  b: {outcome: success, headers_received: false}",
		`x.yaml:10:43: expect.b.headers_received: found false, expected true, because the outcome is success; change one of the two`},
	{"success without a body", "-  b: {outcome: success}\n+  b: {outcome: success, body_complete: false}",
		`x.yaml:10:40: expect.b.body_complete: found false, expected true, because the outcome is success; change one of the two`},
	{"overshoot against duration", "-  b: {outcome: success}\n+  b: {duration_ms: 1120, overshoot_ms: 20}",
		`x.yaml:10:40: expect.b.overshoot_ms: found 20, expected duration_ms − budget_ms, about 120; change one of the two`},
	{"waste without a deadline", "-  b: {outcome: success}\n+  b: {outcome: success, waste_ms: 100}",
		`x.yaml:10:35: expect.b.waste_ms: found 100, expected 0, because only a deadline that fires in a backoff wastes time and the outcome is success; change one of the two`},
}

// build applies an edit to the small file; "slots" stands for a new line
// before the expectations.
func build(t *testing.T, text string) string {
	t.Helper()
	if !strings.HasPrefix(text, "-") {
		return text
	}
	old, added, _ := strings.Cut(strings.TrimPrefix(text, "-"), "\n+")
	added = strings.ReplaceAll(added, "\n+", "\n")
	if old == "slots" {
		return edit(t, "expect:\n", added+"\nexpect:\n")
	}
	if added != "" {
		added += "\n"
	}
	return edit(t, old+"\n", added)
}

func TestBadFiles(t *testing.T) {
	for _, c := range badFiles {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("x.yaml", []byte(build(t, c.text)))
			if err == nil {
				t.Fatal("it was accepted")
			}
			if err.Error() != c.want {
				t.Errorf("got\n%v\nwant\n%s", err, c.want)
			}
		})
	}
}

func TestHugeFile(t *testing.T) {
	_, err := Parse("x.yaml", []byte(small+strings.Repeat("# more\n", 200_000)))
	if want := `x.yaml:1:1: found 1400194 bytes, expected at most 1048576 bytes; check that this is the right file`; err == nil || err.Error() != want {
		t.Error(err)
	}
}
