"""requests: a pair."""

import threading

import requests
import urllib3
from requests.adapters import HTTPAdapter

from deadlinelab_adapter import Ending, error_type, serve_threads
from policy import Verdict, body, failed, headers, shortest
from requests_bounded import BoundedSession, Cancelled, bounded, is_deadline

current = threading.local()  # .operation: the call that this thread makes


class ObservedRetry(urllib3.Retry):
    """urllib3's Retry, unchanged, that tells the bench what it does."""

    def increment(self, method=None, url=None, response=None, error=None, *rest, **named):
        current.operation.attempt_failed(error, response)
        return super().increment(method, url, response, error, *rest, **named)

    def sleep(self, response=None):
        operation = current.operation
        seconds = (self.respect_retry_after_header and response and self.get_retry_after(response)) or self.get_backoff_time()
        if seconds:
            operation.report("backoff_started", attempt=operation.number, planned_ms=seconds * 1000)
        super().sleep(response)
        if seconds:
            operation.report("backoff_finished", attempt=operation.number)
        operation.attempt_started()


def factor(operation):
    """backoff_factor: urllib3 makes no first pause, then factor * 2, factor * 4, …
    The scenario's first pause is the factor, or half of the second if it has no first."""
    first, second = (operation.backoff + [0, 0])[:2]
    return first or second / 2


class Session(requests.Session):
    """As the documentation sets it up: an HTTPAdapter with urllib3's Retry."""

    def __init__(self, operation):
        super().__init__()
        self.trust_env = False
        options = {}
        if operation.max_attempts > 1:
            options["max_retries"] = ObservedRetry(total=operation.max_attempts - 1, backoff_factor=factor(operation),
                                                   status_forcelist=operation.retryable_statuses)
        most = shortest(operation.pool_limit or None, operation.pool_limit_per_host or None)
        if most:
            options |= {"pool_maxsize": most, "pool_block": True}
        for scheme in "http://", "https://":
            self.mount(scheme, HTTPAdapter(**options))


class Attempts:
    """What Retry and the response hook see of one operation."""

    def __init__(self, operation):
        self.report, self.number, self.open = operation.report, 0, False
        self.operation = operation

    def attempt_started(self):
        self.number, self.open = self.number + 1, True
        self.report("attempt_started", attempt=self.number)

    def headers_received(self, response, **_):
        self.report("headers_received", attempt=self.number, status=response.status_code)

    def attempt_finished(self, response):
        self.report("body_finished", attempt=self.number, bytes=len(response.content))
        self.report("attempt_finished", attempt=self.number, status=response.status_code)

    def attempt_failed(self, error, response=None):
        if not self.open:
            return
        self.open = False
        if error is None:
            self.report("attempt_failed", attempt=self.number, status=response.status)
            return
        verdict = classify(error)
        self.report(verdict.event, attempt=self.number, limit=verdict.limit, status=verdict.status,
                    error_type=error_type(error), error=str(error))


ENDS = (  # the first match counts: ConnectTimeout is a ConnectionError, too
    (requests.exceptions.ConnectTimeout, "connect_timeout", "sock_connect_ms"),
    (requests.exceptions.Timeout, "attempt_timeout", "sock_read_ms"),
    (urllib3.exceptions.NewConnectionError, "connect_error", ""),  # a ConnectTimeoutError by inheritance alone
    (urllib3.exceptions.ConnectTimeoutError, "connect_timeout", "sock_connect_ms"),
    (urllib3.exceptions.EmptyPoolError, "connect_timeout", "connect_ms"),
    (urllib3.exceptions.ReadTimeoutError, "attempt_timeout", "sock_read_ms"),
    (requests.exceptions.ContentDecodingError, "invalid_data", ""),
    (urllib3.exceptions.DecodeError, "invalid_data", ""),
    (requests.exceptions.InvalidHeader, "invalid_data", ""),  # a Retry-After that urllib3 cannot read
    (OverflowError, "invalid_data", ""),  # a Retry-After that is too long for time.sleep()
    (requests.exceptions.InvalidURL, "client_error", ""),
)


def cause(error):
    """What urllib3 raised inside requests' error: requests wraps it, and after
    the last retry wraps what MaxRetryError says was the reason."""
    while isinstance(error, requests.exceptions.ConnectionError) and error.args and isinstance(error.args[0], Exception):
        error = error.args[0]
    return getattr(error, "reason", None) or error if isinstance(error, urllib3.exceptions.MaxRetryError) else error


def classify(error):
    """The outcome of a failed attempt, by type."""
    if isinstance(error, requests.exceptions.HTTPError):
        return Verdict("unexpected_status", status=error.response.status_code)
    if is_deadline(error):
        return Verdict("deadline_exceeded")
    for kind, outcome, limit in ENDS:
        if isinstance(error, kind) or isinstance(cause(error), kind):
            return Verdict(outcome, limit=getattr(error, "limit", limit))
    if isinstance(error, (requests.exceptions.RequestException, urllib3.exceptions.HTTPError, OSError)):
        return Verdict("transport_error")
    return Verdict("client_error")


def readme(operation):
    """timeout=(connect, read), retries by the adapter, raise_for_status()."""
    attempts = current.operation = Attempts(operation)
    whole = shortest(operation.total, operation.budget)
    timeout = shortest(operation.sock_connect, whole), shortest(operation.sock_read, whole)
    attempts.attempt_started()
    response = operation.client.request(
        operation.method, operation.url, timeout=timeout,
        headers=headers(operation), data=body(operation), hooks={"response": attempts.headers_received})
    response.raise_for_status()
    attempts.attempt_finished(response)
    return response


def concluded(operation):
    """The caller's call, and how it ended."""
    try:
        response = readme(operation)
    except requests.exceptions.RetryError as error:  # the last answer had a status of the list
        return Ending("retries_exhausted", last="unexpected_status", error=error)
    except Exception as error:
        current.operation.attempt_failed(error)
        return exhausted(operation, error)
    return Ending("success", status=response.status_code, body=response.content)


def exhausted(operation, error):
    """MaxRetryError inside requests' error says that Retry has given up."""
    verdict = classify(error)
    gave_up = bool(error.args) and isinstance(error.args[0], urllib3.exceptions.MaxRetryError)
    if gave_up and current.operation.number > 1:
        return Ending("retries_exhausted", last=verdict.outcome, error=error)
    return Ending(verdict.outcome, status=verdict.status, error=error)


def concluded_bounded(operation):
    try:
        response = bounded(operation, classify)
    except Cancelled as error:
        operation.report("cancellation_observed")
        return Ending("cancelled", error=error)
    except Exception as error:
        return failed(operation, classify(error), error)
    return Ending("success", status=response.status_code, body=response.content)


SETTINGS = {
    "requests_readme": {"timeout": "(connect, read) = (sock_connect_ms, sock_read_ms), neither longer than attempt.total_ms or the budget",
                        "retries": "HTTPAdapter(max_retries=Retry(total=max_attempts-1, backoff_factor, status_forcelist))",
                        "pool": "pool_maxsize and pool_block=True of the scenario, else requests' own"},
    "requests_bounded": {"timeout": "every attempt is cut to what is left, by a timer that shuts its socket down",
                         "deadline": "t0 + budget over slots, pool, attempts, pauses and body",
                         "retries": "own loop: statuses, failures and pauses of the scenario; only pauses that end before the deadline; Retry-After is heeded",
                         "pool": "pool_maxsize and pool_block=True of the scenario; urlopen(pool_timeout=what is left)",
                         "slots": "semaphore, kept for the whole operation", "cancel": "shuts the socket down"},
}
for settings in SETTINGS.values():
    settings["urllib3"] = urllib3.__version__

CLIENTS = {
    "requests_readme": (concluded, Session, ["pool", "attempts", "backoff", "body"]),
    "requests_bounded": (concluded_bounded, BoundedSession, ["cancel", "pool", "slots", "attempts", "backoff", "body", "caller_deadline"]),
}


def serve(name):
    call, session, can = CLIENTS[name]
    hello = {"name": "requests", "version": requests.__version__, "settings": SETTINGS[name], "capabilities": can}
    serve_threads(hello, call, client=session)
