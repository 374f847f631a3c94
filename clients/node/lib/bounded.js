'use strict'

// One deadline, taken at the call, over everything that can wait: the slot,
// the pool, the connect, every attempt, every pause, the body. What the clients
// named _bounded have in common; each brings its own attempt.

const { performance } = require('node:perf_hooks')
const { Failure, errorType } = require('../deadlinelab-adapter')
const { outcomeOf, failed, StatusError, ok } = require('./outcome')

const timeout = (what) => new DOMException(`${what} has passed`, 'TimeoutError')

// Limit is an AbortSignal that aborts after some time, or with an outer one.
// (AbortSignal.any with AbortSignal.timeout would be shorter, but Node 20 may
// collect that timeout as garbage before it fires: fetch_any shows it.)
class Limit {
  constructor (outer, ms, what, onTimeout) {
    this.controller = new AbortController()
    this.signal = this.controller.signal
    this.fired = false
    this.follow = () => this.controller.abort(outer.reason)
    this.outer = outer
    if (outer.aborted) this.follow()
    outer.addEventListener('abort', this.follow, { once: true })
    if (ms !== null) this.timer = setTimeout(() => this.fire(what, onTimeout), ms)
  }

  fire (what, onTimeout) {
    if (this.signal.aborted) return
    this.fired = true
    onTimeout?.()
    this.controller.abort(timeout(what))
  }

  clear () {
    clearTimeout(this.timer)
    this.outer.removeEventListener('abort', this.follow)
  }
}

// Operation is one call under one deadline.
class Operation {
  constructor (call, attempt) {
    this.call = call
    this.attempt = attempt
    this.deadline = call.startedAt + Math.min(call.budgetMs, call.callerDeadlineMs ?? Infinity)
    this.limit = new Limit(call.signal, this.left(), 'The deadline', () => call.report('deadline_fired'))
    this.signal = this.limit.signal
  }

  left () { return Math.max(0, this.deadline - performance.now()) }

  // look throws when the caller has cancelled or the deadline has passed, even
  // if its timer has not been served yet.
  look () {
    this.signal.throwIfAborted()
    if (performance.now() >= this.deadline) throw timeout('The deadline')
  }

  async run () {
    try {
      this.look()
      await this.admission()
      try {
        return await this.attempts()
      } finally {
        this.call.slots.release()
        if (this.call.slots.limited) this.call.report('admission_released')
      }
    } catch (err) {
      throw this.ended(err)
    } finally {
      this.limit.clear()
    }
  }

  async admission () {
    const { slots } = this.call
    if (slots.limited) this.call.report('admission_wait_started')
    await slots.acquire(this.signal)
    if (slots.limited) this.call.report('admission_acquired')
  }

  async attempts () {
    const { policy } = this.call
    for (let n = 1; ; n++) {
      this.look()
      const { answer, failure } = await this.one(n)
      this.look()
      if (answer) return answer
      if (!this.retryable(failure)) throw failed(failure.outcome, 1, failure.err, failure.status)
      if (n >= policy.maxAttempts) throw failed(failure.outcome, policy.maxAttempts, failure.err, failure.status)
      await this.pause(n)
    }
  }

  retryable ({ outcome, status }) {
    const { retryableStatuses, retryableFailures } = this.call.policy
    return outcome === 'unexpected_status' ? retryableStatuses.includes(status) : retryableFailures.includes(outcome)
  }

  // one makes attempt n: {answer} when it got a 2xx and its body, else {failure}.
  async one (n) {
    const { call } = this
    const limit = new Limit(this.signal, call.limits.totalMs, 'The limit of the attempt')
    const seen = (event, fields) => call.report(event, { attempt: n, ...fields })
    try {
      seen('attempt_started')
      const answer = await this.attempt(call, limit.signal, seen)
      seen('body_finished', { bytes: answer.body.length })
      seen('attempt_finished', { status: answer.status })
      if (ok(answer.status)) return { answer }
      return { failure: { outcome: 'unexpected_status', status: answer.status, err: new StatusError(answer.status) } }
    } catch (err) {
      return { failure: this.broken(err, limit, seen) }
    } finally {
      limit.clear()
    }
  }

  broken (err, limit, seen) {
    if (limit.fired) err = limit.signal.reason // libraries make errors of their own of an abort: the caller gets one
    const error = { error_type: errorType(err), error: err.message }
    if (this.signal.aborted) {
      seen('attempt_cancelled', error)
      return { outcome: 'cancelled', err }
    }
    const outcome = limit.fired ? 'attempt_timeout' : outcomeOf(err)
    if (outcome === 'attempt_timeout') seen('attempt_timed_out', { limit: limit.fired ? 'total_ms' : 'sock_read_ms', ...error })
    else if (outcome === 'connect_timeout') seen('attempt_timed_out', { limit: 'sock_connect_ms', ...error })
    else seen('attempt_failed', error)
    return { outcome, err }
  }

  // pause sleeps after attempt n; the deadline and the caller's cancel end it.
  async pause (n) {
    const { backoffMs } = this.call.policy
    const ms = backoffMs.length ? backoffMs[Math.min(n, backoffMs.length) - 1] : 0
    this.call.report('backoff_started', { attempt: n, planned_ms: ms })
    await sleep(ms, this.signal)
    this.call.report('backoff_finished', { attempt: n })
  }

  // ended is what the caller catches: whatever the library made of an abort, the
  // deadline is a TimeoutError and the caller's own cancel an AbortError.
  ended (err) {
    if (err instanceof Failure) return err
    if (this.call.signal.aborted) {
      this.call.report('cancellation_observed')
      return new Failure('cancelled', { cause: this.call.signal.reason })
    }
    if (this.limit.fired || performance.now() >= this.deadline) {
      return new Failure('deadline_exceeded', { cause: this.signal.reason ?? err })
    }
    return err
  }
}

function sleep (ms, signal) {
  return new Promise((resolve, reject) => {
    const wake = () => { clearTimeout(timer); reject(signal.reason) }
    const timer = setTimeout(() => { signal.removeEventListener('abort', wake); resolve() }, ms)
    if (signal.aborted) return wake()
    signal.addEventListener('abort', wake, { once: true })
  })
}

// bounded makes a call with attempt(call, signal, seen), which answers
// {status, body} once the whole body is there and rejects soon after signal has
// aborted; it tells seen('headers_received', {status}) what the library shows.
const bounded = (call, attempt) => new Operation(call, attempt).run()

module.exports = { bounded, sleep }
