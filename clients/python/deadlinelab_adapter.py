"""The client's side of the adapter protocol, version 1, for clients in Python.

A client is one function that makes one call and returns an Ending; this module
does the rest: it reads the bench's messages from standard input, runs a task or
a thread per operation, cancels, holds slots, and writes events with
CLOCK_MONOTONIC nanoseconds. It needs the standard library alone.

    async def call(operation):
        async with operation.client.get(operation.url) as response:
            body = await response.read()
        return Ending("success", status=response.status, body=body)

    serve_async({"name": "mine", "capabilities": ["cancel"]}, call, client=MySession)

What the function raises is reported as client_error: the client broke. Whatever
is printed goes to standard error, for standard output belongs to the protocol.
"""

import asyncio
import contextlib
import gc
import inspect
import json
import os
import platform
import sys
import threading
import time
from dataclasses import dataclass

PROTOCOL = 1
BODY_KEPT = 4096  # bytes of a body that operation_finished carries: the last ones
PLANNED_MOST = 86_400_000  # milliseconds: the longest pause that the protocol can tell
ERROR_KEPT = 500  # characters of an error's text
FAREWELL = 1.0  # seconds that calls have to end after shutdown


@dataclass
class Ending:
    """How an operation ended: an outcome of the closed list, and what goes with it."""

    outcome: str
    last: str = ""  # beside retries_exhausted: how the last attempt failed
    status: int = None
    body: bytes = b""
    error: BaseException = None  # what the caller of the library catches


def error_type(error):
    """The name by which a caller catches the error and, after a colon, that of
    the most general timeout that it is: "requests.ReadTimeout: requests.Timeout"."""
    kind = type(error)
    timeouts = [base for base in kind.__mro__[1:] if "Timeout" in base.__name__]
    return ": ".join(map(class_name, [kind, *timeouts[-1:]]))


def class_name(kind):
    """The class: bare of builtins and asyncio, else with the shortest module that exports it."""
    package = kind.__module__.partition(".")[0]
    if package in ("builtins", "asyncio"):
        return kind.__name__
    exported = getattr(sys.modules.get(package), kind.__name__, None) is kind
    return f"{package if exported else kind.__module__}.{kind.__name__}"


class Operation:
    """One call that the bench asks for. Times are seconds; None = no limit."""

    def __init__(self, message, wire, house):
        self._wire, self._house = wire, house
        self.id = message["op"]
        self.start = 0.0  # t0 on time.monotonic(), which is loop.time() too
        self.cancel_requested = 0.0  # when the caller cancelled; 0 = it did not
        self._read(message)

    def _read(self, m):
        policy, limits, pool = m.get("policy") or {}, m.get("attempt") or {}, m.get("pool") or {}
        self.url = m.get("url", "")
        self.method = m.get("method") or "GET"
        self.body_bytes = m.get("body_bytes") or 0
        self.idempotency_key = m.get("idempotency_key") or ""
        self.budget = _seconds(m.get("budget_ms"))
        self.caller_deadline = _seconds(m.get("caller_deadline_ms"))
        self.max_attempts = policy.get("max_attempts") or 1
        self.backoff = [ms / 1000 for ms in policy.get("backoff_ms") or []]
        self.retryable_statuses = policy.get("retryable_statuses") or []
        self.retryable_failures = policy.get("retryable_failures") or []
        self.total, self.connect = _seconds(limits.get("total_ms")), _seconds(limits.get("connect_ms"))
        self.sock_connect, self.sock_read = _seconds(limits.get("sock_connect_ms")), _seconds(limits.get("sock_read_ms"))
        self.pool_limit, self.pool_limit_per_host = pool.get("limit") or 0, pool.get("limit_per_host") or 0
        self.slots = m.get("slots") or 0  # 0 = no limit

    @property
    def client(self):
        """What the client factory made for this client id; shared by its operations."""
        return self._house.state

    def report(self, event, **fields):
        """Tells the bench that something happened, now. Fields that are None or empty are left out."""
        t_ns = time.monotonic_ns()
        if "planned_ms" in fields:
            fields["planned_ms"] = min(fields["planned_ms"], PLANNED_MOST)
        self._at(t_ns, event, fields)

    def _at(self, t_ns, event, fields):
        self._wire.send({"type": "event", "op": self.id, "event": event, "t_ns": t_ns, **{k: v for k, v in fields.items() if v not in (None, "")}})

    def _began(self):
        t_ns = time.monotonic_ns()
        self.start = t_ns / 1e9
        self._at(t_ns, "operation_started", {})

    def _finished(self, ending):
        t_ns = time.monotonic_ns()
        fields = {"outcome": ending.outcome, "last": ending.last, "status": ending.status, "bytes": len(ending.body)}
        if ending.outcome == "success":
            fields["body"] = ending.body[-BODY_KEPT:].decode("utf-8", "replace")
        if ending.error is not None:
            fields |= {"error_type": error_type(ending.error), "error": str(ending.error)[:ERROR_KEPT]}
        self._at(t_ns, "operation_finished", fields)


def _seconds(ms):
    return None if ms is None else ms / 1000


def _broken(error):
    import traceback

    traceback.print_exception(error)
    return Ending("client_error", error=error)


class Wire:
    """Lines to the bench: each is one write, so that it hears of an event as it happens."""

    def __init__(self):
        self._fd = os.dup(1)
        os.dup2(2, 1)  # a library that prints must not end up inside the protocol
        self._lock = threading.Lock()

    def send(self, message):
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            while line:
                line = line[os.write(self._fd, line):]


class _House:
    """What the operations with one client id share."""

    def __init__(self):
        self.state = None
        self.slots = None


class _Server:
    """What both flavours share: hello, the messages, the client ids."""

    def __init__(self, hello, call, client):
        self._wire, self._call, self._make = Wire(), call, client
        self._hello = {"type": "hello", "protocol": PROTOCOL, "clock": "monotonic",
                       "language": f"Python {platform.python_version()}", **hello}
        self._houses, self._running = {}, {}
        gc.collect()
        gc.freeze()  # what was loaded by now is not looked through again in the middle of a call, which takes 20 ms

    def _line(self, line):
        """Carries out one message; False ends the service."""
        if not line.strip():
            return True
        try:
            message = json.loads(line)
            kind = message["type"]
        except (ValueError, KeyError, TypeError) as error:
            sys.exit(f"error: the bench sent {line[:200]!r}, which is no message ({error})")
        if kind == "shutdown":
            return False
        if kind == "hello":
            self._wire.send(self._hello)
        elif kind in ("operation", "hold_slot", "release", "cancel", "close"):
            getattr(self, "_" + kind)(message)
        else:
            print(f"a message of type {kind!r} is not known to protocol {PROTOCOL} and was ignored", file=sys.stderr)
        return True

    def _house(self, message):
        return self._houses.setdefault(message["client"], _House())

    def _ready(self, operation):
        """Setting a client up is not part of the caller's call."""
        house = operation._house
        if self._make is not None and house.state is None:
            house.state = self._make(operation)


# The flavour for asyncio: a task per operation.


class AsyncOperation(Operation):
    @contextlib.asynccontextmanager
    async def slot(self):
        """Waits for a concurrency slot and keeps it; free where there is no limit."""
        if not self.slots:
            yield
            return
        slots = self._house.slots = self._house.slots or asyncio.Semaphore(self.slots)
        self.report("admission_wait_started")
        async with slots:
            self.report("admission_acquired")
            try:
                yield
            finally:
                self.report("admission_released")


def serve_async(hello, call, client=None):
    """Serves the bench until it ends. hello: name, version, settings, capabilities.
    call: coroutine function of an AsyncOperation that returns an Ending.
    client: makes what operations with one client id share, from the first of
    them; its close() is called, and awaited, when the id is not used any more."""
    with contextlib.suppress(BrokenPipeError):
        asyncio.run(_AsyncServer(hello, call, client).run())


class _AsyncServer(_Server):
    async def run(self):
        self._loop, self._over, self._rest = asyncio.get_running_loop(), asyncio.Event(), b""
        try:
            self._loop.add_reader(0, self._readable)
        except PermissionError:  # a file is always readable, and not for epoll
            self._lines(sys.stdin.buffer.read())
            self._over.set()
        await self._over.wait()
        await self._farewell()

    def _readable(self):
        data = os.read(0, 1 << 16)
        if not data or not self._lines(data):
            self._loop.remove_reader(0)
            self._over.set()

    def _lines(self, data):
        *lines, self._rest = (self._rest + data).split(b"\n")
        return all(self._line(line) for line in lines)

    async def _farewell(self):
        for operation in list(self._running):
            self._cancel({"op": operation})
        if self._running:
            await asyncio.wait([task for _, task in self._running.values()], timeout=FAREWELL)
        for house in self._houses.values():
            await _shut(house.state)

    def _start(self, operation, work):
        task = self._loop.create_task(self._run(operation, work))
        self._running[operation.id] = operation, task
        task.add_done_callback(lambda _: self._running.pop(operation.id, None))

    def _operation(self, message):
        self._start(AsyncOperation(message, self._wire, self._house(message)), self._call)

    async def _run(self, operation, work):
        try:
            self._ready(operation)
            operation._began()
            ending = await work(operation)
        except asyncio.CancelledError as error:
            ending = Ending("cancelled" if operation.cancel_requested else "client_error", error=error)
        except Exception as error:
            if not operation.start:
                operation._began()
            ending = _broken(error)
        operation._finished(ending)

    def _cancel(self, message):
        if message["op"] in self._running:
            operation, task = self._running[message["op"]]
            operation.cancel_requested = operation.cancel_requested or time.monotonic()
            self._loop.call_soon(task.cancel)  # a task that has not begun would end without a word

    def _hold_slot(self, message):
        operation = AsyncOperation(message, self._wire, self._house(message))
        operation.released = self._loop.create_future()
        self._start(operation, self._hold)

    async def _hold(self, operation):
        slots = operation._house.slots = operation._house.slots or asyncio.Semaphore(operation.slots)
        operation.report("admission_wait_started")
        async with contextlib.AsyncExitStack() as taken:
            for _ in range(operation.slots):
                await taken.enter_async_context(slots)
            operation.report("admission_acquired")
            await operation.released
        operation.report("admission_released")
        return Ending("success")

    def _release(self, message):
        if message["op"] in self._running:
            operation, _ = self._running[message["op"]]
            self._loop.call_at(message.get("at_ns", 0) / 1e9, _settle, operation.released)

    def _close(self, message):
        house = self._houses.pop(message["client"], None)
        if house is not None:
            self._closing = self._loop.create_task(_shut(house.state))


def _settle(future):
    if not future.done():
        future.set_result(None)


async def _shut(state):
    if hasattr(state, "close"):
        done = state.close()
        if inspect.isawaitable(done):
            await done


# The flavour for blocking clients: a thread per operation.


class ThreadOperation(Operation):
    def __init__(self, message, wire, house):
        super().__init__(message, wire, house)
        self.cancelled = threading.Event()  # wait on it instead of sleeping
        self._on_cancel = []

    @contextlib.contextmanager
    def slot(self, until=None):
        """Waits for a concurrency slot and keeps it; free where there is no limit.
        until: on time.monotonic(); TimeoutError after it, InterruptedError after a cancel."""
        if not self.slots:
            yield
            return
        slots = self._house.slots
        self.report("admission_wait_started")
        with self.on_cancel(slots.look):
            slots.take(1, until, self.cancelled)
        self.report("admission_acquired")
        try:
            yield
        finally:
            slots.give(1)
            self.report("admission_released")

    @contextlib.contextmanager
    def on_cancel(self, callback):
        """Calls back, from another thread, when the caller cancels within the block."""
        self._on_cancel.append(callback)
        try:
            if self.cancelled.is_set():
                callback()
            yield
        finally:
            self._on_cancel.remove(callback)

    def _cancel(self):
        self.cancel_requested = self.cancel_requested or time.monotonic()
        self.cancelled.set()
        for callback in list(self._on_cancel):
            callback()


class ThreadSlots:
    """Concurrency slots whose wait ends at a time or with a cancel."""

    def __init__(self, count):
        self._free, self._change = count, threading.Condition()

    def take(self, count, until, cancelled):
        with self._change:
            ready = self._change.wait_for(lambda: cancelled.is_set() or self._free >= count,
                                          None if until is None else max(0, until - time.monotonic()))
            if cancelled.is_set():
                raise InterruptedError("cancelled while waiting for a slot")
            if not ready:
                raise TimeoutError("no slot in time")
            self._free -= count

    def give(self, count):
        with self._change:
            self._free += count
            self._change.notify_all()

    def look(self):
        with self._change:
            self._change.notify_all()


def serve_threads(hello, call, client=None):
    """Like serve_async for clients that block: call is a plain function of a
    ThreadOperation, which runs in a thread of its own."""
    with contextlib.suppress(BrokenPipeError):
        _ThreadServer(hello, call, client).run()


class _ThreadServer(_Server):
    def run(self):
        for line in sys.stdin.buffer:
            if not self._line(line):
                break
        running = list(self._running.values())
        for operation, _ in running:
            operation._cancel()
        end = time.monotonic() + FAREWELL
        for _, thread in running:
            thread.join(max(0, end - time.monotonic()))
        for house in self._houses.values():
            self._shut(house)

    def _start(self, operation, work):
        if operation.slots and operation._house.slots is None:
            operation._house.slots = ThreadSlots(operation.slots)
        thread = threading.Thread(target=self._run, args=(operation, work), daemon=True)
        self._running[operation.id] = operation, thread
        thread.start()

    def _operation(self, message):
        operation = ThreadOperation(message, self._wire, self._house(message))
        try:
            self._ready(operation)
        except Exception as error:
            operation._began()
            operation._finished(_broken(error))
            return
        self._start(operation, self._call)

    def _run(self, operation, work):
        with contextlib.suppress(BrokenPipeError):
            operation._began()
            try:
                ending = work(operation)
            except Exception as error:
                ending = _broken(error)
            operation._finished(ending)
        self._running.pop(operation.id, None)

    def _cancel(self, message):
        if message["op"] in self._running:
            self._running[message["op"]][0]._cancel()

    def _hold_slot(self, message):
        operation = ThreadOperation(message, self._wire, self._house(message))
        operation.release_at, operation.released = 0.0, threading.Event()
        self._start(operation, self._hold)

    def _hold(self, operation):
        slots = operation._house.slots
        operation.report("admission_wait_started")
        slots.take(operation.slots, None, operation.cancelled)
        operation.report("admission_acquired")
        with operation.on_cancel(operation.released.set):
            operation.released.wait()
            operation.cancelled.wait(max(0, operation.release_at - time.monotonic()))
        slots.give(operation.slots)
        operation.report("admission_released")
        return Ending("success")

    def _release(self, message):
        if message["op"] in self._running:
            operation, _ = self._running[message["op"]]
            operation.release_at = message.get("at_ns", 0) / 1e9
            operation.released.set()

    def _close(self, message):
        house = self._houses.pop(message["client"], None)
        if house is not None:
            self._shut(house)

    @staticmethod
    def _shut(house):
        if hasattr(house.state, "close"):
            house.state.close()
