"""requests with one deadline over everything.

requests has no timer for a whole call: timeout= bounds each connect and each
silence. Here every attempt has an end, and a timer that shuts the attempt's
socket down at that end: a thread that is blocked in recv() or send() comes back
at once, however often a byte arrives. What it cannot end is a DNS lookup.
"""

import contextlib
import socket
import threading
import time

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from deadlinelab_adapter import error_type
from policy import another, body, end_of, headers, once_if_not_repeatable, shortest

current = threading.local()  # .attempt: the attempt that this thread makes


DEADLINE = "deadline"  # the limit of the whole operation


def timeout(limit, cause):
    """What the caller gets for every limit of time: one type, requests' own for
    any timeout. Which limit it was is an attribute."""
    return limited(requests.exceptions.Timeout(cause), limit)


def limited(error, limit):
    """The error, with the name of the limit that raised it."""
    error.limit = limit
    return error


def is_deadline(error):
    return getattr(error, "limit", None) == DEADLINE


class Cancelled(requests.exceptions.RequestException):
    """The caller has cancelled."""


class Attempt:
    """One attempt: its end on time.monotonic(), and the sockets that it uses."""

    def __init__(self, operation, number):
        now = time.monotonic()
        self.operation, self.number = operation, number
        self.deadline = end_of(operation)
        self.end = min(self.deadline, now + operation.total) if operation.total else self.deadline
        self.connect_end = min(self.end, now + operation.connect) if operation.connect else self.end
        self.over = False
        self._sockets, self._lock = [], threading.Lock()

    def left(self, limit=None):
        """What is left of the attempt, cut to a limit; never 0, which sockets take for no wait at all."""
        return max(0.001, shortest(limit, self.end - time.monotonic()))

    def connect_left(self):
        return max(0.001, self.connect_end - time.monotonic())

    def watch(self, sock):
        with self._lock:
            self._sockets.append(sock)
            if self.over:
                shut(sock)

    def cut(self):
        """Ends the attempt: whoever is blocked in one of its sockets comes back."""
        with self._lock:
            self.over = True
            for sock in self._sockets:
                shut(sock)

    def __enter__(self):
        current.attempt = self
        self._timer = threading.Timer(self.end - time.monotonic(), self.cut)
        self._timer.daemon = True
        self._timer.start()
        return self

    def __exit__(self, *_):
        self._timer.cancel()
        current.attempt = None

    def verdict(self, error):
        """What the caller gets for an error: the deadline, the cancel and the
        attempt's own end come before what the shut socket looks like."""
        now = time.monotonic()
        if self.operation.cancelled.is_set():
            return Cancelled(error)
        if now >= self.deadline:
            return timeout(DEADLINE, error)
        if now >= self.end:
            return timeout("total_ms", error)
        if isinstance(error, urllib3.exceptions.EmptyPoolError):
            return limited(requests.exceptions.ConnectTimeout(error), "connect_ms")
        return error


def shut(sock):
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


class Watched:
    """A connection that shows its socket to the attempt that uses it."""

    def connect(self):
        self.timeout = min(self.timeout or current.attempt.left(), current.attempt.connect_left())
        super().connect()
        current.attempt.watch(self.sock)

    def request(self, *arguments, **named):
        if self.sock is not None:
            current.attempt.watch(self.sock)
        return super().request(*arguments, **named)


class WatchedHTTP(Watched, HTTPConnection):
    pass


class WatchedHTTPS(Watched, HTTPSConnection):
    pass


class Queued:
    """A pool whose queue is part of the attempt; requests itself waits in it for ever."""

    def urlopen(self, *arguments, **named):
        return super().urlopen(*arguments, **named, pool_timeout=current.attempt.connect_left())


class HTTPPool(Queued, HTTPConnectionPool):
    ConnectionCls = WatchedHTTP


class HTTPSPool(Queued, HTTPSConnectionPool):
    ConnectionCls = WatchedHTTPS


class BoundedAdapter(HTTPAdapter):
    def init_poolmanager(self, *arguments, **named):
        super().init_poolmanager(*arguments, **named)
        self.poolmanager.pool_classes_by_scheme = {"http": HTTPPool, "https": HTTPSPool}


class BoundedSession(requests.Session):
    def __init__(self, operation):
        super().__init__()
        self.trust_env = False
        most = shortest(operation.pool_limit or None, operation.pool_limit_per_host or None)
        options = {"pool_maxsize": most, "pool_block": True} if most else {}
        for scheme in "http://", "https://":
            self.mount(scheme, BoundedAdapter(**options))


def bounded(operation, classify):
    """One call: slot, attempts, pauses and body within one deadline taken at t0."""
    try:
        with operation.slot(until=end_of(operation)):
            return retries(operation, classify)
    except TimeoutError as error:  # of the slot
        raise timeout(DEADLINE, error) from error
    except InterruptedError as error:
        raise Cancelled(error) from error


def retries(operation, classify):
    once_if_not_repeatable(operation)
    number = 1
    while True:
        if operation.cancelled.is_set():
            raise Cancelled("cancelled by the caller")
        if time.monotonic() >= end_of(operation):
            raise timeout(DEADLINE, "the deadline has passed")
        try:
            return attempt(operation, number, classify)
        except requests.exceptions.RequestException as error:
            seconds = another(operation, number, classify(error), retry_after(error))
            if isinstance(error, Cancelled) or is_deadline(error) or seconds is None:
                raise
        pause(operation, number, seconds)
        number += 1


def retry_after(error):
    return error.response.headers.get("Retry-After", "") if isinstance(error, requests.exceptions.HTTPError) else ""


def pause(operation, number, seconds):
    operation.report("backoff_started", attempt=number, planned_ms=seconds * 1000)
    if operation.cancelled.wait(seconds):
        raise Cancelled("cancelled by the caller")
    operation.report("backoff_finished", attempt=number)


def attempt(operation, number, classify):
    operation.report("attempt_started", attempt=number)
    with Attempt(operation, number) as running, operation.on_cancel(running.cut):
        try:
            response = exchange(operation, running)
        except Exception as error:
            told = running.verdict(error)
            report_end(operation, number, told, classify)
            raise told from error
    operation.report("attempt_finished", attempt=number, status=response.status_code)
    return response


def report_end(operation, number, error, classify):
    named = {"attempt": number, "error_type": error_type(error), "error": str(error)}
    if is_deadline(error):
        operation.report("deadline_fired")
    if is_deadline(error) or isinstance(error, Cancelled):
        operation.report("attempt_cancelled", **named)
        return
    verdict = classify(error)
    operation.report(verdict.event, limit=verdict.limit, status=verdict.status, **named)


def exchange(operation, running):
    """Request, whole body, status. A shut socket looks like an end of the body
    where nothing says how long that is: an attempt that is over has not succeeded."""
    def headers_received(response, **_):
        operation.report("headers_received", attempt=running.number, status=response.status_code)

    response = operation.client.request(
        operation.method, operation.url, headers=headers(operation), data=body(operation),
        timeout=(running.left(operation.sock_connect), running.left(operation.sock_read)),
        hooks={"response": headers_received})
    if running.over or time.monotonic() >= running.end:
        raise requests.exceptions.ReadTimeout("the attempt was over before its body was")
    complete(response)
    operation.report("body_finished", attempt=running.number, bytes=len(response.content))
    response.raise_for_status()
    return response


def complete(response):
    """requests takes a body that is shorter than its Content-Length for whole."""
    promised = response.headers.get("Content-Length", "")
    if promised.isdecimal() and response.request.method != "HEAD" and response.raw.tell() < int(promised):
        raise requests.exceptions.ChunkedEncodingError(f"{response.raw.tell()} of {promised} bytes of the body arrived")
