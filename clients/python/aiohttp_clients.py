"""aiohttp: the study's four placements of the boundaries, and a pair."""

import asyncio
import io
import time

import aiohttp

from async_policy import Answer, bounded_retries, concluded, concluded_within, deadline_at, reported, with_retries
from deadlinelab_adapter import serve_async
from policy import body, end_of, headers, shortest, Verdict

class Session(aiohttp.ClientSession):
    """What the operations with one client id share: the pool."""

    def __init__(self, operation):
        super().__init__(trust_env=False, connector=connector(operation), trace_configs=[phases()])


def connector(operation):
    """limit and limit_per_host bound the pool; 0 is aiohttp's word for no limit."""
    return aiohttp.TCPConnector(limit=operation.pool_limit, limit_per_host=operation.pool_limit_per_host)


def phases():
    """Follows each attempt: what it waits for tells connect timeouts from read
    timeouts, for which aiohttp raises one and the same type."""
    config = aiohttp.TraceConfig()

    def enter(phase):
        async def entered(session, context, params):
            context.trace_request_ctx.phase = phase
        return entered

    config.on_connection_queued_start.append(enter("pool"))
    config.on_connection_create_start.append(enter("connect"))
    config.on_request_start.append(enter("pool"))
    config.on_connection_create_end.append(enter("exchange"))
    config.on_connection_reuseconn.append(enter("exchange"))
    config.on_request_redirect.append(enter("pool"))
    return config


def classify(error, operation):
    """The outcome of a failed attempt, by type and phase."""
    if isinstance(error, aiohttp.ClientResponseError) and not isinstance(error, aiohttp.TooManyRedirects):
        return Verdict("unexpected_status", status=error.status)
    if isinstance(error, aiohttp.ServerTimeoutError):
        if operation.phase == "exchange":
            return Verdict("attempt_timeout", limit="sock_read_ms")
        limit = "sock_connect_ms" if operation.phase == "connect" and by_dial(operation) else "connect_ms"
        return Verdict("connect_timeout", limit=limit)
    if isinstance(error, TimeoutError):
        return Verdict("attempt_timeout", limit="total_ms")
    if isinstance(error, aiohttp.ClientConnectorError):
        return Verdict("connect_error")
    if isinstance(error, aiohttp.ClientPayloadError) and undecodable(error):
        return Verdict("invalid_data")
    if isinstance(error, (aiohttp.ClientError, OSError)):
        return Verdict("transport_error")
    return Verdict("client_error")


def by_dial(operation):
    return operation.sock_connect is not None and operation.sock_connect <= (operation.connect or operation.sock_connect)


def undecodable(error):
    """aiohttp keeps neither the type nor the cause of a ContentEncodingError, only its text."""
    return "Can not decode content-encoding" in str(error)


def payload(operation):
    """The request body from its beginning; aiohttp sends a file in pieces."""
    content = body(operation)
    return content and io.BytesIO(content)


async def exchange(operation, number, timeout):
    """One call of the library: request, whole body, status."""
    operation.phase = "pool"
    async with operation.client.request(operation.method, operation.url, timeout=timeout, data=payload(operation),
                                        headers=headers(operation), trace_request_ctx=operation) as response:
        operation.report("headers_received", attempt=number, status=response.status)
        content = await response.read()
        operation.report("body_finished", attempt=number, bytes=len(content))
        response.raise_for_status()
        return Answer(response.status, content)


async def attempt(operation, number):
    """One attempt of the study's client, with the four limits of ClientTimeout."""
    return await exchange(operation, number, aiohttp.ClientTimeout(
        total=operation.total, connect=operation.connect,
        sock_connect=operation.sock_connect, sock_read=operation.sock_read))


async def single_attempt(operation):
    """A: one attempt, no deadline."""
    operation.max_attempts = 1
    async with operation.slot():
        return await reported(operation, 1, attempt, classify)


async def attempt_timeout(operation):
    """B: attempts with limits, no deadline."""
    async with operation.slot():
        return await with_retries(operation, attempt, classify)


async def deadline_after_admission(operation):
    """C: the deadline is taken when the slot is there."""
    async with operation.slot():
        async with deadline_at(operation, time.monotonic() + operation.budget):
            return await with_retries(operation, attempt, classify)


async def operation_deadline(operation):
    """D: the deadline is taken at t0 and covers the slot.

    The trap: an attempt that ClientTimeout(total=) ended leaves its cancel
    behind in the task. aiohttp 3.8.4 cancels the task and raises TimeoutError,
    but never calls Task.uncancel(); asyncio.timeout() then finds one cancel more
    than its own and lets CancelledError through where TimeoutError is due. The
    outcome goes by deadline.expired(); the error type is what comes out.
    """
    async with deadline_at(operation, operation.start + operation.budget):
        async with operation.slot():
            return await with_retries(operation, attempt, classify)


async def readme(operation):
    """As the quickstart sets it up: a session, and ClientTimeout(total=…)."""
    operation.max_attempts = 1
    timeout = aiohttp.ClientTimeout(total=shortest(operation.total, operation.budget))
    return await reported(operation, 1, lambda operation, number: exchange(operation, number, timeout), classify)


class ReadmeSession(aiohttp.ClientSession):
    """Without a pool limit the connector is aiohttp's own."""

    def __init__(self, operation):
        limited = operation.pool_limit or operation.pool_limit_per_host
        super().__init__(connector=connector(operation) if limited else None, trace_configs=[phases()])


def retry_after(error):
    return (getattr(error, "headers", None) or {}).get("Retry-After", "")


async def bounded(operation):
    """One deadline over everything, and every timer gives its cancel back."""
    async with deadline_at(operation, end_of(operation)):
        async with operation.slot():
            return await bounded_retries(operation, bounded_attempt, classify, retry_after)


async def bounded_attempt(operation, number):
    """asyncio's own timer takes the place of ClientTimeout(total=): it uncancels.
    The connect limits, which aiohttp keeps, do not; what they leave is undone."""
    task, timeout = asyncio.current_task(), aiohttp.ClientTimeout(
        total=None, connect=operation.connect, sock_connect=operation.sock_connect, sock_read=operation.sock_read)
    before = task.cancelling()
    try:
        async with asyncio.timeout(operation.total):
            return await exchange(operation, number, timeout)
    except TimeoutError:
        while task.cancelling() > before:
            task.uncancel()
        raise


LIMITS = "ClientTimeout(total, connect, sock_connect, sock_read) of the scenario"
POOL = "TCPConnector(limit, limit_per_host) of the scenario, 0 without"
SLOTS = "asyncio.Semaphore, kept for the whole operation"
RETRIES = "own loop: statuses, failures and pauses of the scenario"
EVERYTHING = ["cancel", "pool", "slots", "attempts", "backoff", "body", "caller_deadline"]
ONE_ATTEMPT = [capability for capability in EVERYTHING if capability != "backoff"]

STUDY = {
    "aiohttp_a": (single_attempt, "none", "none", ONE_ATTEMPT),
    "aiohttp_b": (attempt_timeout, RETRIES, "none", EVERYTHING),
    "aiohttp_c": (deadline_after_admission, RETRIES, "asyncio.timeout(budget) after the semaphore", EVERYTHING),
    "aiohttp_d": (operation_deadline, RETRIES, "asyncio.timeout_at(t0 + budget) over everything", EVERYTHING),
}


def settings(name):
    if name == "aiohttp_readme":
        return {"timeout": "ClientTimeout(total=the smaller of attempt.total_ms and the budget)", "retries": "none: aiohttp has none",
                "pool": "TCPConnector(limit, limit_per_host) of the scenario, else aiohttp's own"}
    if name == "aiohttp_bounded":
        return {"timeout": "asyncio.timeout(total_ms) per attempt; ClientTimeout(connect, sock_connect, sock_read)",
                "deadline": "asyncio.timeout_at(t0 + budget) over everything", "pool": POOL, "slots": SLOTS,
                "retries": RETRIES + "; only pauses that end before the deadline; Retry-After is heeded",
                "cancels": "what the library's timers leave in the task is undone with Task.uncancel()"}
    _, retries, deadline, _ = STUDY[name]
    return {"timeout": LIMITS, "retries": retries, "deadline": deadline, "pool": POOL, "slots": SLOTS}


PAIR = {
    "aiohttp_readme": (readme, ReadmeSession, ["cancel", "pool", "attempts", "body", "caller_deadline"]),
    "aiohttp_bounded": (bounded, Session, EVERYTHING),
}
CLIENTS = PAIR | {name: (call, Session, can) for name, (call, _, _, can) in STUDY.items()}


def serve(name):
    call, session, can = CLIENTS[name]
    hello = {"name": "aiohttp", "version": aiohttp.__version__, "settings": settings(name), "capabilities": can}
    conclude = concluded if call is bounded else concluded_within
    serve_async(hello, lambda operation: conclude(operation, call, classify), client=session)
