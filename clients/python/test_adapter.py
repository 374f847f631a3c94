"""The helper's side of the protocol, with clients that make no requests."""

import os
import tempfile
import textwrap
import time
import unittest

from bench_test_support import HERE, Bench, Case

ASYNC = """
import asyncio, sys
from deadlinelab_adapter import Ending, serve_async
class Client:
    made = 0
    def __init__(self, operation):
        Client.made += 1
        self.number = Client.made
    async def close(self):
        print("closed", self.number)
async def call(operation):
    kind = operation.url
    if kind == "raise": raise ValueError("a mistake of the client")
    if kind == "sleep": await asyncio.sleep(60)
    if kind == "print": print("noise on standard output")
    if kind == "stray": raise asyncio.CancelledError
    async with operation.slot():
        operation.report("attempt_started", attempt=1)
        await asyncio.sleep(operation.backoff[0] if operation.backoff else 0)
    return Ending("success", status=200, body=b"client %d " % operation.client.number + b"x" * 5000)
serve_async({"name": "toy", "version": "1", "capabilities": ["slots"]}, call, client=Client)
"""
THREADS = (ASYNC.replace("async def", "def").replace("await ", "").replace("async with", "with")
           .replace("asyncio.sleep(60)", "operation.cancelled.wait(60)").replace("asyncio.sleep", "time.sleep")
           .replace("import asyncio, sys", "import time").replace("serve_async", "serve_threads")
           .replace("    if kind == \"stray\": raise asyncio.CancelledError\n", "")
           .replace("    with operation.slot():", "    if operation.cancelled.is_set(): return Ending('cancelled')\n    with operation.slot():"))


class Adapter(Case):
    """Every case holds for both flavours."""

    def both(self):
        for flavour, text in ("asyncio", ASYNC), ("threads", THREADS):
            with self.subTest(flavour), tempfile.TemporaryDirectory() as place:
                name = os.path.join(place, "toy.py")
                with open(name, "w") as file:
                    file.write(f"import sys; sys.path.insert(0, {HERE!r})\n" + textwrap.dedent(text))
                try:
                    yield self.bench(name)
                except GeneratorExit:  # the test failed in between
                    return

    def test_hello(self):
        for bench in self.both():
            self.assertEqual({k: bench.hello[k] for k in ("protocol", "name", "version", "clock", "capabilities")},
                             {"protocol": 1, "name": "toy", "version": "1", "clock": "monotonic", "capabilities": ["slots"]})
            self.assertTrue(bench.hello["language"].startswith("Python 3."))

    def test_one_operation(self):
        for bench in self.both():
            before = time.monotonic_ns()
            bench.operation("a", "ok")
            events = bench.events("a")
            self.assertEqual([e["event"] for e in events], ["operation_started", "attempt_started", "operation_finished"])
            times = [before] + [e["t_ns"] for e in events] + [events[-1]["arrived"]]
            self.assertEqual(times, sorted(times))
            self.assertEqual((events[-1]["outcome"], events[-1]["status"], events[-1]["bytes"]), ("success", 200, 5009))
            self.assertEqual(events[-1]["body"], "x" * 4096)

    def test_an_error_of_the_client_is_told(self):
        for bench in self.both():
            bench.operation("a", "raise")
            last = bench.events("a")[-1]
            self.assertEqual((last["outcome"], last["error_type"], last["error"]), ("client_error", "ValueError", "a mistake of the client"))
            bench.operation("b", "ok")
            self.assertEqual(bench.events("b")[-1]["outcome"], "success")
            self.assertIn("a mistake of the client", bench.end()[1])

    def test_a_cancelled_error_that_nobody_asked_for_is_a_mistake(self):
        bench = next(self.both())
        bench.operation("a", "stray")
        self.assertEqual(bench.events("a")[-1]["outcome"], "client_error")

    def test_a_cancel(self):
        for bench in self.both():
            bench.operation("a", "sleep")
            bench.operation("b", "sleep")
            bench.say(type="cancel", op="a")  # perhaps before it has begun
            bench.say(type="cancel", op="unknown")
            self.assertEqual([bench.events("a")[0]["event"], bench.events("a")[-1]["outcome"]], ["operation_started", "cancelled"])
            self.assertEqual([m for m in bench.heard if m.get("op") == "b" and m["event"] == "operation_finished"], [])

    def test_operations_run_side_by_side(self):
        for bench in self.both():
            for op in "abc":
                bench.operation(op, "sleep")
            for op in "abc":
                bench.event(op, "operation_started")

    def test_client_ids_share_what_the_factory_made(self):
        for bench in self.both():
            for op, client in ("a", "one"), ("b", "one"), ("c", "two"):
                bench.operation(op, "ok", client=client)
                bench.events(op)
            bench.say(type="close", client="one")
            bench.operation("d", "ok", client="one")
            bench.events("d")
            code, errors = bench.end()
            self.assertEqual((code, sorted(errors.split())), (0, sorted("closed 1 closed 2 closed 3".split())))

    def test_slots_are_shared_and_can_be_held(self):
        for bench in self.both():
            bench.say(type="hold_slot", op="h", client="c", slots=2)
            bench.event("h", "admission_acquired")
            bench.operation("a", "ok", client="c", slots=2)
            bench.event("a", "admission_wait_started")
            due = time.monotonic_ns() + 100_000_000
            bench.say(type="release", op="h", at_ns=due)
            acquired = bench.event("a", "admission_acquired")
            self.assertEqual([e["event"] for e in bench.events("h")],
                             ["operation_started", "admission_wait_started", "admission_acquired", "admission_released", "operation_finished"])
            self.assertGreaterEqual(acquired["t_ns"], due)
            self.assertEqual([e["event"] for e in bench.events("a")],
                             ["operation_started", "admission_wait_started", "admission_acquired", "attempt_started",
                              "admission_released", "operation_finished"])

    def test_a_release_without_an_instant_is_for_now(self):
        for bench in self.both():
            bench.say(type="hold_slot", op="h", client="c", slots=1)
            bench.event("h", "admission_acquired")
            bench.say(type="release", op="h")
            self.assertEqual(bench.events("h")[-1]["outcome"], "success")

    def test_shutdown_and_the_end_of_the_input_end_it(self):
        for shutdown in True, False:
            for bench in self.both():
                bench.operation("a", "sleep")
                bench.event("a", "operation_started")
                if shutdown:
                    bench.say(type="shutdown")
                    self.assertEqual(bench.process.wait(20), 0)
                self.assertEqual(bench.end()[0], 0)
                self.assertEqual(bench.events("a")[-1]["outcome"], "cancelled")

    def test_what_is_printed_does_not_get_into_the_protocol(self):
        for bench in self.both():
            bench.operation("a", "print")
            self.assertEqual(bench.events("a")[-1]["outcome"], "success")
            self.assertIn("noise on standard output", bench.end()[1])

    def test_a_line_that_is_no_message_ends_it_with_the_line(self):
        for bench in self.both():
            bench.process.stdin.write(b"{nonsense\n")
            code, errors = bench.end()
            self.assertEqual(code, 1)
            self.assertIn("{nonsense", errors)

    def test_messages_of_a_later_protocol_are_ignored(self):
        for bench in self.both():
            bench.say(type="wave", op="a")
            bench.operation("a", "ok")
            self.assertEqual(bench.events("a")[-1]["outcome"], "success")


if __name__ == "__main__":
    unittest.main()
