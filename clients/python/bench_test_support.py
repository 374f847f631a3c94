"""A bench and an upstream small enough for tests."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PATIENCE = 20.0  # seconds until a test gives up; nothing is judged by it


class Bench:
    """The bench's side of the protocol, with one client."""

    def __init__(self, *command):
        self.process = subprocess.Popen([sys.executable, *command], cwd=HERE, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.heard, self._change = [], threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()
        self.say(type="hello", protocol=1, bench="test")
        self.hello = self.wait(lambda m: m["type"] == "hello")

    def _listen(self):
        for line in self.process.stdout:
            with self._change:
                self.heard.append({**json.loads(line), "arrived": time.monotonic_ns()})
                self._change.notify_all()

    def say(self, **message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def wait(self, wanted):
        """The first message that is wanted, heard already or still to come."""
        def found():
            return next((m for m in self.heard if wanted(m)), None)
        with self._change:
            if not self._change.wait_for(found, PATIENCE):
                self.process.kill()
                raise AssertionError(f"not heard; heard {self.heard}; stderr {self.process.stderr.read()}")
            return found()

    def event(self, op, event):
        return self.wait(lambda m: m.get("op") == op and m.get("event") == event)

    def events(self, op):
        """Everything heard of an operation, to its end."""
        self.event(op, "operation_finished")
        return [m for m in self.heard if m.get("op") == op]

    def operation(self, op, url, client=None, budget_ms=1000, total_ms=None, max_attempts=1, backoff_ms=(),
                  statuses=(503,), failures=("attempt_timeout",), connect_ms=None, sock_read_ms=None, **more):
        self.say(type="operation", op=op, client=client or op, url=url, method=more.pop("method", "GET"), budget_ms=budget_ms,
                 policy={"max_attempts": max_attempts, "backoff_ms": list(backoff_ms),
                         "retryable_statuses": list(statuses), "retryable_failures": list(failures)},
                 attempt={"total_ms": total_ms, "connect_ms": connect_ms, "sock_connect_ms": None, "sock_read_ms": sock_read_ms}, **more)

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        errors = self.process.stderr.read().decode()
        self.process.stderr.close()
        self.process.stdout.close()
        return code, errors


class Upstream:
    """Serves what a path names: /STATUS/…, each with a script of (what, seconds)."""

    def __init__(self):
        self.requests = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self._listener.getsockname()[1]
        self._end = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._end.set()
        self._listener.close()

    def _accept(self):
        while True:
            try:
                conn, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(conn,), daemon=True).start()

    def _serve(self, conn):
        with conn, conn.makefile("rb") as received:
            try:
                while line := received.readline():
                    self._exchange(conn, received, line.decode())
            except OSError:
                pass

    def _exchange(self, conn, received, line):
        length, key = 0, ""
        while (header := received.readline().decode().strip()):
            name, _, value = header.partition(":")
            length = int(value) if name.lower() == "content-length" else length
            key = value.strip() if name.lower() == "idempotency-key" else key
        received.read(length)
        self.requests.append((line.split()[0], line.split()[1], length, key))
        getattr(self, line.split()[1].strip("/").partition("/")[0])(conn)

    def ok(self, conn):
        conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")

    def busy(self, conn):
        conn.sendall(b"HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy")

    def patient(self, conn):
        conn.sendall(b"HTTP/1.1 503 Busy\r\nRetry-After: 30\r\nContent-Length: 4\r\n\r\nbusy")

    def endlessly(self, conn):
        conn.sendall(b"HTTP/1.1 503 Busy\r\nRetry-After: 99999999999999999999\r\nContent-Length: 4\r\n\r\nbusy")

    def flaky(self, conn):
        (self.ok if len(self.requests) > 1 else self.busy)(conn)

    def hang(self, conn):
        self._end.wait(PATIENCE)

    def trickle(self, conn):
        """A head at once, then a byte each 20 ms for ever, up to the end of the connection."""
        conn.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        while not self._end.wait(0.02):
            conn.sendall(b"x")

    def drip(self, conn):
        """A head that never ends, a byte each 20 ms."""
        conn.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
        while not self._end.wait(0.02):
            conn.sendall(b"x")

    def short(self, conn):
        conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello")
        conn.shutdown(socket.SHUT_WR)

    def gzip(self, conn):
        conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello")


class Case(unittest.TestCase):
    """Every time is the client's own, and judged from below: a loaded machine is late, never early."""

    def bench(self, *command):
        bench = Bench(*command)
        self.addCleanup(lambda: (bench.process.kill(), bench.process.wait(), bench.process.stdin.close(),
                                 bench.process.stdout.close(), bench.process.stderr.close()))
        return bench

    def upstream(self):
        upstream = Upstream()
        self.addCleanup(upstream.close)
        return upstream


def duration_ms(events):
    return (events[-1]["t_ns"] - events[0]["t_ns"]) / 1e6
