'use strict'

// What an error of a Node client means, by class and code, never by its text.

const { Failure } = require('../deadlinelab-adapter')

const CONNECT_ERRORS = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])
const ATTEMPT_TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ECONNABORTED', 'ETIMEDOUT'])
const BROKEN_DATA = new Set(['Z_DATA_ERROR', 'Z_BUF_ERROR'])

// chain is an error and what caused it.
function chain (err) {
  const found = []
  for (let e = err; e instanceof Error && found.length < 8; e = e.cause) found.push(e)
  return found
}

// outcomeOf is the outcome of an attempt that failed with err and that nobody
// outside it ended.
function outcomeOf (err) {
  for (const { code, syscall, name } of chain(err)) {
    if (code === 'UND_ERR_CONNECT_TIMEOUT' || (code === 'ETIMEDOUT' && syscall === 'connect')) return 'connect_timeout'
    if (CONNECT_ERRORS.has(code)) return 'connect_error'
    if (BROKEN_DATA.has(code)) return 'invalid_data'
    if (ATTEMPT_TIMEOUTS.has(code) || name === 'TimeoutError') return 'attempt_timeout'
    if (code === 'ERR_CANCELED' || name === 'AbortError') return 'cancelled'
  }
  return 'transport_error'
}

// StatusError is a complete answer that is not a 2xx, where the library itself
// throws nothing.
class StatusError extends Error {
  constructor (status) {
    super(`status ${status}`)
    this.status = status
  }
}

// failed is how an operation ends whose last attempt failed: that failure, or
// retries_exhausted when several attempts were made for it.
function failed (outcome, attempts, cause, status) {
  return attempts > 1
    ? new Failure('retries_exhausted', { last: outcome, status, cause })
    : new Failure(outcome, { status, cause })
}

module.exports = { outcomeOf, failed, StatusError, ok: (status) => status >= 200 && status <= 299 }
