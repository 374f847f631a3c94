"""What each client does with each wait, against a small upstream."""

import itertools
import os
import socket
import textwrap
import unittest

from bench_test_support import HERE, Bench, Case, duration_ms

BUDGET = 300  # where the deadline is what is tested
PLENTY = 15000  # elsewhere: nothing that a loaded machine does ends a call
NUMBERS = itertools.count()
ALL = ["aiohttp_a", "aiohttp_b", "aiohttp_c", "aiohttp_d", "aiohttp_readme", "aiohttp_bounded",
       "requests_readme", "requests_bounded", "httpx_readme", "httpx_bounded"]
WHOLE = ["aiohttp_c", "aiohttp_d", "aiohttp_bounded", "requests_bounded", "httpx_bounded"]  # have a deadline
BOUNDED = ["aiohttp_bounded", "requests_bounded", "httpx_bounded"]


BENCHES = {}  # one process per client: starting one takes longer than most calls


def setUpModule():
    for client in ALL:
        BENCHES[client] = Bench("client.py", client)


def tearDownModule():
    ends = {client: bench.end() for client, bench in BENCHES.items()}
    if any(end != (0, "") for end in ends.values()):
        raise AssertionError(f"exit status and standard error: {ends}")


class ClientCase(Case):
    def call(self, client, path, url=None, budget_ms=PLENTY, **asked):
        """The events of one call, and the client's last word."""
        self.server = self.upstream()
        op, bench = f"op{next(NUMBERS)}", BENCHES[client]
        bench.operation(op, url or f"{self.server.url}/{path}", budget_ms=budget_ms, **asked)
        events = bench.events(op)
        for event in events:
            self.assertLessEqual(event["t_ns"], event["arrived"])
        bench.say(type="close", client=op)
        return events, events[-1]


class Endings(ClientCase):
    def test_success_has_the_body(self):
        for client in ALL:
            with self.subTest(client):
                events, last = self.call(client, "ok")
                self.assertEqual((last["outcome"], last["body"], last["status"]), ("success", "hello", 200))
                self.assertEqual([e["event"] for e in events if e["event"] not in ("headers_received", "body_finished")],
                                 ["operation_started", "attempt_started", "attempt_finished", "operation_finished"])

    def test_a_status_with_one_attempt_is_the_outcome(self):
        for client in ALL:
            with self.subTest(client):
                _, last = self.call(client, "busy")
                self.assertEqual((last["outcome"], last.get("status")), ("unexpected_status", 503))

    def test_a_retry_mends_a_flaky_upstream(self):
        for client in ["aiohttp_b", "aiohttp_c", "aiohttp_d", "requests_readme", *BOUNDED]:
            with self.subTest(client):
                _, last = self.call(client, "flaky", max_attempts=3, backoff_ms=[10, 20])
                self.assertEqual((last["outcome"], len(self.server.requests)), ("success", 2))

    def test_retries_used_up(self):
        for client in ["aiohttp_b", "aiohttp_d", "requests_readme", *BOUNDED]:
            with self.subTest(client):
                _, last = self.call(client, "busy", max_attempts=3, backoff_ms=[10, 20])
                self.assertEqual((last["outcome"], last["last"], len(self.server.requests)), ("retries_exhausted", "unexpected_status", 3))

    def test_a_refused_connection(self):
        deaf = socket.socket()  # bound, and not listening
        self.addCleanup(deaf.close)
        deaf.bind(("127.0.0.1", 0))
        for client in ALL:
            with self.subTest(client):
                _, last = self.call(client, "ok", url="http://127.0.0.1:%d/ok" % deaf.getsockname()[1])
                self.assertEqual(last["outcome"], "connect_error")

    def test_bytes_that_are_no_gzip(self):
        for client in ALL:
            with self.subTest(client):
                _, last = self.call(client, "gzip")
                self.assertEqual(last["outcome"], "invalid_data")

    def test_a_body_that_is_too_short(self):
        for client in [client for client in ALL if client != "requests_readme"]:
            with self.subTest(client):
                _, last = self.call(client, "short")
                self.assertEqual(last["outcome"], "transport_error")

    def test_requests_takes_a_short_body_for_whole(self):
        _, last = self.call("requests_readme", "short")
        self.assertEqual((last["outcome"], last["bytes"]), ("success", 5))

    def test_a_request_body_and_its_key_in_every_attempt(self):
        for client in ["aiohttp_d", *BOUNDED]:
            with self.subTest(client):
                self.call(client, "flaky", max_attempts=2, backoff_ms=[1], method="POST", body_bytes=70000, idempotency_key="k1")
                self.assertEqual(self.server.requests, [("POST", "/flaky", 70000, "k1")] * 2)

    def test_a_post_without_a_key_is_not_sent_twice(self):
        for client in BOUNDED:
            with self.subTest(client):
                _, last = self.call(client, "busy", max_attempts=3, backoff_ms=[1], method="POST", body_bytes=5)
                self.assertEqual((last["outcome"], len(self.server.requests)), ("unexpected_status", 1))


class Limits(ClientCase):
    def test_the_deadline_ends_every_wait(self):
        for path in "hang", "trickle", "drip":
            for client in WHOLE:
                with self.subTest(client):
                    events, last = self.call(client, path, budget_ms=BUDGET)
                    self.assertEqual((path, last["outcome"]), (path, "deadline_exceeded"))
                    self.assertGreaterEqual(duration_ms(events), BUDGET)
                    self.assertLess(duration_ms(events), 10 * BUDGET)

    def test_the_attempt_has_its_limit(self):
        for client in ALL:
            with self.subTest(client):
                events, last = self.call(client, "hang", total_ms=100)
                self.assertEqual(last["outcome"], "attempt_timeout")
                self.assertGreaterEqual(duration_ms(events), 99)

    def test_the_silence_has_its_limit(self):
        for client in ["aiohttp_d", "requests_readme", *BOUNDED]:
            with self.subTest(client):
                events, last = self.call(client, "hang", sock_read_ms=100)
                self.assertEqual((last["outcome"], [e.get("limit") for e in events if e["event"] == "attempt_timed_out"]),
                                 ("attempt_timeout", ["sock_read_ms"]))

    def test_the_wait_for_the_pool_has_its_limit(self):
        for client in ["aiohttp_a", *BOUNDED]:
            with self.subTest(client):
                server, bench = self.upstream(), BENCHES[client]
                first, second = f"first{next(NUMBERS)}", f"second{next(NUMBERS)}"
                shared = {"client": first, "pool": {"limit": 1, "limit_per_host": 1}}
                bench.operation(first, server.url + "/hang", budget_ms=PLENTY, **shared)
                bench.event(first, "attempt_started")
                while not server.requests:
                    pass
                bench.operation(second, server.url + "/ok", connect_ms=100, **shared)
                self.assertEqual(bench.events(second)[-1]["outcome"], "connect_timeout")
                self.assertEqual(len(server.requests), 1)
                bench.say(type="cancel", op=first)

    def test_a_pause_that_nothing_can_follow_is_not_slept(self):
        for client in BOUNDED:
            with self.subTest(client):
                for path, backoff in ("busy", 20000), ("patient", 1):
                    events, last = self.call(client, path, max_attempts=3, backoff_ms=[backoff])
                    self.assertEqual((last["outcome"], len(self.server.requests)), ("retries_exhausted", 1))
                    self.assertNotIn("backoff_started", [e["event"] for e in events])

    def test_the_callers_earlier_deadline_counts(self):
        for client in [client for client in ALL if client != "requests_readme"]:
            with self.subTest(client):
                _, last = self.call(client, "hang", caller_deadline_ms=50)
                self.assertEqual(last["outcome"], "deadline_exceeded")

    def test_a_deadline_that_has_passed_sends_nothing(self):
        for client in BOUNDED:
            with self.subTest(client):
                _, last = self.call(client, "ok", caller_deadline_ms=-1)
                self.assertEqual((last["outcome"], self.server.requests), ("deadline_exceeded", []))

    def test_urllib3_chokes_on_a_pause_of_ages(self):
        events, last = self.call("requests_readme", "endlessly", max_attempts=3)
        self.assertEqual((last["outcome"], last["error_type"]), ("invalid_data", "OverflowError"))
        self.assertEqual([e["planned_ms"] for e in events if e["event"] == "backoff_started"], [86400000])

    def test_urllib3_reports_its_pauses(self):
        """It makes no first pause; the second is what the scenario says."""
        events, _ = self.call("requests_readme", "busy", max_attempts=3, backoff_ms=[10, 20])
        self.assertEqual([(e["attempt"], e["planned_ms"]) for e in events if e["event"] == "backoff_started"], [(2, 20.0)])


class Cancels(ClientCase):
    def test_a_cancel_ends_every_wait(self):
        for path, wait in ("hang", "attempt_started"), ("trickle", "headers_received"), ("busy", "backoff_started"):
            for client in ["aiohttp_b", "aiohttp_d", *BOUNDED]:
                with self.subTest(client):
                    server, bench, op = self.upstream(), BENCHES[client], f"cancelled{next(NUMBERS)}"
                    bench.operation(op, f"{server.url}/{path}", budget_ms=15000, max_attempts=3, backoff_ms=[10000])
                    bench.event(op, wait)
                    bench.say(type="cancel", op=op)
                    events = bench.events(op)
                    self.assertEqual(events[-1]["outcome"], "cancelled")
                    self.assertIn("cancellation_observed", [e["event"] for e in events])
                    self.assertNotIn("backoff_finished", [e["event"] for e in events])


class Ends(ClientCase):
    def test_a_call_that_nothing_ends_does_not_hold_up_the_process(self):
        for client in ["requests_readme", "aiohttp_readme"]:
            with self.subTest(client):
                server, bench = self.upstream(), self.bench("client.py", client)
                bench.operation("op", server.url + "/hang", budget_ms=60000)
                bench.event("op", "attempt_started")
                self.assertEqual(bench.end(), (0, ""))

    def test_the_client_of_the_readme(self):
        with open(os.path.join(HERE, "README.md")) as file:
            text = file.read()
        code = text[text.index("    import aiohttp\n"):text.index("`serve_threads` does the same")]
        server, bench = self.upstream(), self.bench("-c", textwrap.dedent(code))
        for path, outcome in ("ok", "success"), ("busy", "unexpected_status"), ("hang", "deadline_exceeded"), ("short", "transport_error"):
            bench.operation(path, f"{server.url}/{path}", budget_ms=5 * BUDGET)
            self.assertEqual(bench.events(path)[-1]["outcome"], outcome)


class ErrorTypes(ClientCase):
    """What the caller would have to catch."""

    def test_aiohttp_leaves_a_cancel_behind(self):
        """After ClientTimeout(total=) has fired once, the deadline of
        asyncio.timeout() comes out as CancelledError; before, as TimeoutError."""
        _, last = self.call("aiohttp_d", "hang", budget_ms=BUDGET)
        self.assertEqual((last["outcome"], last["error_type"]), ("deadline_exceeded", "TimeoutError"))
        _, last = self.call("aiohttp_d", "hang", budget_ms=1200, total_ms=800, max_attempts=9, backoff_ms=[1])
        self.assertEqual((last["outcome"], last["error_type"]), ("deadline_exceeded", "CancelledError"))

    def test_given_back_it_is_a_timeout_again(self):
        for client in ["aiohttp_bounded", "httpx_bounded"]:
            with self.subTest(client):
                _, last = self.call(client, "hang", budget_ms=1200, total_ms=900, sock_read_ms=800, max_attempts=9, backoff_ms=[1])
                self.assertEqual((last["outcome"], last["error_type"]), ("deadline_exceeded", "TimeoutError"))

    def test_requests_changes_its_error_with_retries(self):
        _, last = self.call("requests_readme", "hang", total_ms=50)
        self.assertEqual((last["outcome"], last["error_type"]), ("attempt_timeout", "requests.ReadTimeout: requests.Timeout"))
        _, last = self.call("requests_readme", "hang", total_ms=50, max_attempts=2)
        self.assertEqual((last["outcome"], last["last"], last["error_type"]),
                         ("retries_exhausted", "attempt_timeout", "requests.ConnectionError"))
        _, last = self.call("requests_readme", "busy", max_attempts=2)
        self.assertEqual(last["error_type"], "requests.exceptions.RetryError")

    def test_requests_bounded_raises_a_timeout(self):
        _, last = self.call("requests_bounded", "hang", budget_ms=1200, total_ms=800, max_attempts=9, backoff_ms=[1])
        self.assertEqual((last["outcome"], last["error_type"]), ("deadline_exceeded", "requests.Timeout"))
        _, last = self.call("requests_bounded", "hang", total_ms=100)
        self.assertEqual((last["outcome"], last["error_type"]), ("attempt_timeout", "requests.Timeout"))


if __name__ == "__main__":
    unittest.main()
