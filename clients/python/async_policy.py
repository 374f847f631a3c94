"""Retries and endings of the clients that run on asyncio."""

import asyncio
import contextlib
import time

from deadlinelab_adapter import Ending, error_type
from policy import another, end_of, failed, once_if_not_repeatable, pause_after, retryable


class Answer:
    """A response whose body has been read to its end."""

    def __init__(self, status, body):
        self.status, self.body = status, body


async def reported(operation, number, attempt, classify):
    """One attempt, with its beginning and its end told to the bench."""
    operation.report("attempt_started", attempt=number)
    try:
        answer = await attempt(operation, number)
    except asyncio.CancelledError as error:
        operation.report("attempt_cancelled", attempt=number, error_type=error_type(error))
        raise
    except Exception as error:
        verdict = classify(error, operation)
        operation.report(verdict.event, attempt=number, limit=verdict.limit, status=verdict.status,
                         error_type=error_type(error), error=str(error))
        raise
    operation.report("attempt_finished", attempt=number, status=answer.status)
    return answer


async def with_retries(operation, attempt, classify):
    """Attempts until one succeeds, one fails for good, or no more are allowed."""
    number = 1
    while True:
        try:
            return await reported(operation, number, attempt, classify)
        except Exception as error:
            if number >= operation.max_attempts or not retryable(operation, classify(error, operation)):
                raise
        await pause(operation, number, pause_after(operation, number))
        number += 1


async def bounded_retries(operation, attempt, classify, retry_after):
    """Attempts and pauses that fit what is left. The deadline and the caller's
    cancel are asked for, too: a cancel that arrives in the instant in which a
    library turns its own into a timeout is swallowed by it."""
    once_if_not_repeatable(operation)
    number = 1
    while True:
        if time.monotonic() >= end_of(operation):
            operation.passed = end_of(operation)
            raise TimeoutError("the deadline has passed")
        if operation.cancel_requested:
            raise asyncio.CancelledError
        try:
            return await reported(operation, number, attempt, classify)
        except Exception as error:
            seconds = another(operation, number, classify(error, operation), retry_after(error))
            if seconds is None:
                raise
        await pause(operation, number, seconds)
        number += 1


async def pause(operation, number, seconds):
    operation.report("backoff_started", attempt=number, planned_ms=seconds * 1000)
    await asyncio.sleep(seconds)
    operation.report("backoff_finished", attempt=number)


@contextlib.asynccontextmanager
async def deadline_at(operation, when):
    """asyncio.timeout_at() that tells the bench when it fires."""
    told = asyncio.get_running_loop().call_at(when, operation.report, "deadline_fired")
    try:
        async with asyncio.timeout_at(when) as deadline:
            operation.deadlines.append(deadline)
            yield
    finally:
        told.cancel()


async def concluded(operation, call, classify):
    """Makes the call, and tells how it ended."""
    operation.deadlines, operation.passed = [], None
    try:
        answer = await call(operation)
    except (Exception, asyncio.CancelledError) as error:
        return ended(operation, error, classify)
    return Ending("success", status=answer.status, body=answer.body)


async def concluded_within(operation, call, classify):
    """The same for a client that takes no deadline from its caller: a caller who
    has one puts asyncio.timeout_at() around the call."""
    async def within(operation):
        async with deadline_at(operation, operation.start + operation.caller_deadline):
            return await call(operation)

    return await concluded(operation, call if operation.caller_deadline is None else within, classify)


def ended(operation, error, classify):
    """How an operation ended that raised.

    What ended it decides, not which error came out: a deadline has expired, or
    the caller has cancelled, or an attempt has failed. The error is kept as the
    caller would catch it.
    """
    if isinstance(error, (asyncio.CancelledError, TimeoutError)):
        expired = [deadline.when() for deadline in operation.deadlines if deadline.expired()]
        expired += [operation.passed] if operation.passed else []
        if expired and not 0 < operation.cancel_requested < min(expired):
            operation.report("cancellation_observed")
            return Ending("deadline_exceeded", error=error)
        if operation.cancel_requested:
            operation.report("cancellation_observed")
            return Ending("cancelled", error=error)
    return failed(operation, classify(error, operation), error)
