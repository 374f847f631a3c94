"""httpx: a pair."""

import asyncio
import contextlib

import anyio
import httpx

from async_policy import Answer, bounded_retries, concluded, concluded_within, reported
from deadlinelab_adapter import serve_async
from policy import Verdict, body, end_of, headers, shortest

TLS = httpx.create_ssl_context(trust_env=False)  # takes 20 ms: once, and not on the loop in the middle of a run
UNLIMITED = httpx.Limits(max_connections=None, max_keepalive_connections=None)

TIMEOUTS = {httpx.ConnectTimeout: "sock_connect_ms", httpx.PoolTimeout: "connect_ms",
            httpx.ReadTimeout: "sock_read_ms", httpx.WriteTimeout: "sock_read_ms"}


def limits(operation, otherwise):
    """httpx bounds the pool as a whole; there is no limit per host."""
    most = shortest(operation.pool_limit or None, operation.pool_limit_per_host or None)
    return httpx.Limits(max_connections=most) if most else otherwise


def readme_client(operation):
    """As the documentation sets it up: retries of the transport, which are for connecting alone."""
    transport = httpx.AsyncHTTPTransport(verify=TLS, limits=limits(operation, httpx.Limits(max_connections=100, max_keepalive_connections=20)),
                                         retries=operation.max_attempts - 1, trust_env=False)
    return Client(transport)


def bounded_client(operation):
    return Client(httpx.AsyncHTTPTransport(verify=TLS, limits=limits(operation, UNLIMITED), trust_env=False))


class Client(httpx.AsyncClient):
    def __init__(self, transport):
        super().__init__(transport=transport, trust_env=False)

    async def close(self):
        await self.aclose()


def classify(error, operation):
    """The outcome of a failed attempt, by type."""
    for kind, limit in TIMEOUTS.items():
        if isinstance(error, kind):
            return Verdict("connect_timeout" if limit in ("sock_connect_ms", "connect_ms") else "attempt_timeout", limit=limit)
    if isinstance(error, TimeoutError):
        return Verdict("attempt_timeout", limit="total_ms")
    if isinstance(error, httpx.HTTPStatusError):
        return Verdict("unexpected_status", status=error.response.status_code)
    if isinstance(error, httpx.ConnectError):
        return Verdict("connect_error")
    if isinstance(error, httpx.DecodingError):
        return Verdict("invalid_data")
    if isinstance(error, (httpx.HTTPError, httpx.StreamError)):
        return Verdict("transport_error")
    return Verdict("client_error")


async def exchange(operation, number, timeout, **sent):
    """One call of the library: request, whole body, status."""
    async with operation.client.stream(operation.method, operation.url, timeout=timeout,
                                       follow_redirects=True, **sent) as response:
        operation.report("headers_received", attempt=number, status=response.status_code)
        content = await response.aread()
        operation.report("body_finished", attempt=number, bytes=len(content))
    response.raise_for_status()
    return Answer(response.status_code, content)


async def readme(operation):
    """httpx.Timeout: one number for each of connect, read, write and pool; there is none for the whole."""
    operation.max_attempts = 1  # what the transport repeats is inside the one attempt
    timeout = httpx.Timeout(shortest(operation.total, operation.budget))

    async def attempt(operation, number):
        return await exchange(operation, number, timeout, content=body(operation), headers=headers(operation))

    return await reported(operation, 1, attempt, classify)


class Deadline:
    """A deadline of anyio, on which httpx runs.

    asyncio.timeout() does not go with anyio 3.6.2: its connect_tcp() cancels the
    task that calls it once it is connected, swallows that cancel and never takes
    it back with Task.uncancel(). asyncio.timeout() then finds one cancel more than
    its own, and CancelledError comes out where TimeoutError is due.
    """

    def __init__(self, when):
        self._when, self._scope = when, anyio.fail_after(when - asyncio.get_running_loop().time())

    def __enter__(self):
        self._entered = self._scope.__enter__()
        return self

    def __exit__(self, *raised):
        return self._scope.__exit__(*raised)

    def expired(self):
        return self._entered.cancel_called

    def when(self):
        return self._when


@contextlib.contextmanager
def deadline_at(operation, when):
    """A deadline that tells the bench when it fires."""
    told = asyncio.get_running_loop().call_at(when, operation.report, "deadline_fired")
    try:
        with Deadline(when) as deadline:
            operation.deadlines.append(deadline)
            yield
    finally:
        told.cancel()


async def bounded(operation):
    """One deadline over everything."""
    with deadline_at(operation, end_of(operation)):
        async with operation.slot():
            return await bounded_retries(operation, bounded_attempt, classify, retry_after)


async def bounded_attempt(operation, number):
    """The whole attempt has a limit of its own; httpx bounds its phases."""
    timeout = httpx.Timeout(None, connect=operation.sock_connect, read=operation.sock_read, pool=operation.connect)
    with anyio.fail_after(operation.total):
        return await exchange(operation, number, timeout, **upload(operation))


def upload(operation):
    """The request body in pieces: one of 8 MiB at once keeps the loop busy for longer than many a budget."""
    whole, named = body(operation), headers(operation)
    if whole is None:
        return {"headers": named}
    return {"headers": named | {"Content-Length": str(len(whole))}, "content": pieces(whole)}


async def pieces(whole):
    for at in range(0, len(whole), 1 << 16):
        yield whole[at:at + (1 << 16)]


def retry_after(error):
    return error.response.headers.get("Retry-After", "") if isinstance(error, httpx.HTTPStatusError) else ""


SETTINGS = {
    "httpx_readme": {"timeout": "httpx.Timeout(the smaller of attempt.total_ms and the budget): for connect, read, write and pool each",
                     "retries": "AsyncHTTPTransport(retries=max_attempts-1): for connecting alone",
                     "pool": "Limits(max_connections) of the scenario, else httpx's own"},
    "httpx_bounded": {"timeout": "anyio.fail_after(total_ms) per attempt; httpx.Timeout(connect=sock_connect_ms, read=sock_read_ms, pool=connect_ms)",
                      "deadline": "anyio.fail_after(t0 + budget - now) over everything",
                      "retries": "own loop: statuses, failures and pauses of the scenario; only pauses that end before the deadline; Retry-After is heeded",
                      "pool": "Limits(max_connections) of the scenario, else none", "slots": "asyncio.Semaphore, kept for the whole operation"},
}
CLIENTS = {
    "httpx_readme": (readme, readme_client, ["cancel", "pool", "attempts", "body", "caller_deadline"]),
    "httpx_bounded": (bounded, bounded_client, ["cancel", "pool", "slots", "attempts", "backoff", "body", "caller_deadline"]),
}


def serve(name):
    call, client, can = CLIENTS[name]
    hello = {"name": "httpx", "version": httpx.__version__, "settings": SETTINGS[name], "capabilities": can}
    conclude = concluded if call is bounded else concluded_within
    anyio.run(anyio.sleep, 0)  # anyio loads its backend at its first use, which takes longer than many a budget
    serve_async(hello, lambda operation: conclude(operation, call, classify), client=client)
