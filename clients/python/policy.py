"""The retry policy that a scenario asks for, and how an operation ends by it."""

import email.utils
import time

from deadlinelab_adapter import Ending

REPEATABLE = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"}


class Verdict:
    """What one failed attempt was: an outcome, and the limit or status behind it."""

    def __init__(self, outcome, limit=None, status=None):
        self.outcome, self.limit, self.status = outcome, limit, status

    @property
    def event(self):
        return "attempt_timed_out" if self.limit else "attempt_failed"


def retryable(operation, verdict):
    if verdict.outcome == "unexpected_status":
        return verdict.status in operation.retryable_statuses
    return verdict.outcome in operation.retryable_failures


def once_if_not_repeatable(operation):
    """A bounded client does not send a request twice when that is not the same
    as sending it once: by its method, or because a key lets the server know it again."""
    if operation.method not in REPEATABLE and not operation.idempotency_key:
        operation.max_attempts = 1


def pause_after(operation, attempt):
    """The backoff after an attempt, counted from 1; the last entry repeats."""
    backoff = operation.backoff
    return backoff[min(attempt, len(backoff)) - 1] if backoff else 0.0


def shortest(*limits):
    """The smallest of limits of which some are None; None if all are."""
    return min((limit for limit in limits if limit is not None), default=None)


def end_of(operation):
    """The deadline of the operation: its budget, or the caller's own if that is earlier."""
    return operation.start + shortest(operation.budget, operation.caller_deadline)


def asked_for(retry_after):
    """What a Retry-After header asks for, in seconds; 0 without one that can be read."""
    if not retry_after:
        return 0.0
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (ValueError, OverflowError):
        return 0.0


def another(operation, attempt, verdict, retry_after=""):
    """The pause before a further attempt of a bounded client; None if there is
    none: the policy allows no more, or the pause would end after the deadline. A
    pause that nothing can follow is not slept."""
    if attempt >= operation.max_attempts or not retryable(operation, verdict):
        return None
    seconds = max(pause_after(operation, attempt), asked_for(retry_after))
    return seconds if time.monotonic() + seconds < end_of(operation) else None


_bodies = {}  # request bodies by length: making one is not the client's work


def body(operation):
    """The request body; None without one."""
    length = operation.body_bytes
    return _bodies.get(length) or _bodies.setdefault(length, b"x" * length) if length else None


def headers(operation):
    return {"Idempotency-Key": operation.idempotency_key} if operation.idempotency_key else {}


def failed(operation, verdict, error):
    """The ending of an operation whose last attempt failed: the failure itself
    if it ends the operation at once or only one attempt was allowed."""
    if operation.max_attempts > 1 and retryable(operation, verdict):
        return Ending("retries_exhausted", last=verdict.outcome, status=verdict.status, error=error)
    return Ending(verdict.outcome, status=verdict.status, error=error)
