'use strict'

// The fetch that Node itself brings.

const { Failure, errorType } = require('../deadlinelab-adapter')
const { bounded } = require('./bounded')
const { outcomeOf, ok } = require('./outcome')

const program = { name: 'fetch (Node)', version: () => `${process.versions.node} (undici ${process.versions.undici})` }

const request = (call, signal) => fetch(call.url, {
  method: call.method,
  headers: call.headers(),
  body: call.requestBody,
  signal,
})

// once is the documentation's call: one signal, and a look at response.ok.
// fetch has no retries.
async function once (call, signalOf) {
  const seen = (event, fields) => call.report(event, { attempt: 1, ...fields })
  seen('attempt_started')
  try {
    const response = await request(call, signalOf(Math.min(call.limits.totalMs ?? Infinity, call.budgetMs)))
    seen('headers_received', { status: response.status })
    if (!response.ok) throw new Failure('unexpected_status', { status: response.status, cause: new Error(`Response status: ${response.status}`) })
    const body = Buffer.from(await response.arrayBuffer())
    seen('body_finished', { bytes: body.length })
    seen('attempt_finished', { status: response.status })
    return { status: response.status, body }
  } catch (err) {
    throw given(call, seen, err)
  }
}

// fetch_any is what many write to have a timeout and a cancel: nothing but
// AbortSignal.any holds the timeout, and Node 20 may then collect it as garbage
// before it fires. A variable that holds it makes that rare, not impossible.

// given is how that one attempt failed.
function given (call, seen, err) {
  const error = { error_type: errorType(err instanceof Failure ? err.cause : err), error: err.message }
  if (err instanceof Failure) {
    seen('attempt_failed', { status: err.status, ...error })
    return err
  }
  const outcome = call.signal.aborted ? 'cancelled' : outcomeOf(err)
  if (outcome === 'cancelled') {
    call.report('cancellation_observed', { attempt: 1 })
    seen('attempt_cancelled', error)
  } else if (outcome === 'attempt_timeout') {
    seen('attempt_timed_out', { limit: call.limits.totalMs === null ? undefined : 'total_ms', ...error })
  } else seen('attempt_failed', error)
  return new Failure(outcome, { cause: err })
}

// attempt reads the whole body, of any answer. sock_read_ms limits the silence
// between two pieces of it.
async function attempt (call, signal, seen) {
  const response = await request(call, signal)
  seen('headers_received', { status: response.status })
  return { status: response.status, body: await whole(response, call.limits.sockReadMs) }
}

async function whole (response, silenceMs) {
  if (!response.body || silenceMs === null) return Buffer.from(await response.arrayBuffer())
  const reader = response.body.getReader()
  const pieces = []
  for (;;) {
    const { done, value } = await within(reader.read(), silenceMs, () => reader.cancel())
    if (done) return Buffer.concat(pieces)
    pieces.push(value)
  }
}

async function within (promise, ms, onTimeout) {
  let timer
  const silence = new Promise((resolve, reject) => {
    timer = setTimeout(() => {
      reject(new DOMException('The limit on silence has passed', 'TimeoutError'))
      onTimeout()
    }, ms)
  })
  try {
    return await Promise.race([promise, silence])
  } finally {
    clearTimeout(timer)
  }
}

module.exports = {
  fetch_readme: {
    program,
    settings: {
      timeout: 'AbortSignal.timeout(the smaller of attempt.total_ms and budget_ms), once per call',
      retries: 'none: fetch has none',
      pool: 'Node’s global agent, no limit',
    },
    capabilities: ['attempts', 'body'],
    call: (call) => once(call, (ms) => AbortSignal.timeout(ms)),
  },
  fetch_any: {
    program,
    settings: {
      timeout: 'AbortSignal.any([the caller’s signal, AbortSignal.timeout(the smaller of attempt.total_ms and budget_ms)]), in one expression',
      retries: 'none: fetch has none',
      pool: 'Node’s global agent, no limit',
    },
    capabilities: ['cancel', 'attempts', 'body'],
    call: (call) => once(call, (ms) => AbortSignal.any([call.signal, AbortSignal.timeout(ms)])),
  },
  fetch_bounded: {
    program,
    settings: {
      deadline: 'an AbortSignal taken at the call, over slot, attempts, pauses and body',
      attempt: 'total_ms by an AbortSignal of its own, sock_read_ms between two reads of the body',
      retries: 'own loop by the policy, no pause outlives the deadline',
      slots: 'a semaphore around the operation, inside the deadline',
      pool: 'Node’s global agent, no limit',
    },
    capabilities: ['cancel', 'slots', 'attempts', 'backoff', 'body', 'caller_deadline'],
    call: (call) => bounded(call, attempt),
  },
}
