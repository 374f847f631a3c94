"""Retries and endings of the clients that run on asyncio."""

import asyncio
import contextlib
import time

from deadlinelab_adapter import Ending, error_type
from policy import another, end_of, failed, pause_after, retryable


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
    number = 1
    while True:
        if time.monotonic() >= end_of(operation):
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
        async with asyncio.timeout_at(when) as operation.deadline:
            yield
    finally:
        told.cancel()


def ended(operation, error, deadline, classify):
    """How an operation ended that raised.

    What ended it decides, not which error came out: the deadline has expired, or
    the caller has cancelled, or an attempt has failed. The error is kept as the
    caller would catch it.
    """
    if isinstance(error, (asyncio.CancelledError, TimeoutError)):
        if deadline is not None and not before(operation.cancel_requested, deadline.when()):
            operation.report("cancellation_observed")
            return Ending("deadline_exceeded", error=error)
        if isinstance(error, asyncio.CancelledError):
            operation.report("cancellation_observed")
            return Ending("cancelled", error=error)
    return failed(operation, classify(error, operation), error)


def before(cancelled, when):
    return 0 < cancelled < when


async def concluded(operation, call, classify):
    """Makes the call as its caller does, who may have a deadline of its own."""
    operation.deadline = callers = None
    try:
        if operation.caller_deadline is None:
            answer = await call(operation)
        else:
            async with asyncio.timeout_at(operation.start + operation.caller_deadline) as callers:
                answer = await call(operation)
    except (Exception, asyncio.CancelledError) as error:
        return ended(operation, error, expired(operation.deadline, callers), classify)
    return Ending("success", status=answer.status, body=answer.body)


def expired(*deadlines):
    """The earliest of the deadlines that have expired."""
    gone = [deadline for deadline in deadlines if deadline is not None and deadline.expired()]
    return min(gone, key=lambda deadline: deadline.when(), default=None)

