'use strict'

// undici from its package: RetryAgent around an Agent, or an Agent alone.

const { Agent, RetryAgent, DecoratorHandler } = require('undici')
const { Failure, errorType } = require('../deadlinelab-adapter')
const { bounded } = require('./bounded')
const { outcomeOf, failed, ok } = require('./outcome')

const program = { name: 'undici', version: () => require('undici/package.json').version }

// pool are the Agent's options that limit connections: so many to one origin,
// one request at a time on each.
function pool ({ pool } = {}) {
  const connections = pool?.limit_per_host || pool?.limit
  return connections ? { connections, pipelining: 1 } : {}
}

// only what the operation sets: undici's defaults stay where it sets nothing.
const set = (name, value) => value === null || value === undefined ? {} : { [name]: value }

// openReadme is what one client has: its Agent, and RetryAgent's options.
function openReadme (message) {
  const connectMs = Math.min(message.attempt?.sock_connect_ms ?? Infinity, message.budget_ms)
  const { max_attempts: attempts = 1, backoff_ms: backoff = [] } = message.policy ?? {}
  return {
    agent: new Agent({
      ...pool(message),
      connect: { timeout: connectMs },
    }),
    retry: {
      maxRetries: attempts - 1,
      ...set('minTimeout', backoff[0]),
      ...(backoff[0] && backoff[1] ? { timeoutFactor: backoff[1] / backoff[0] } : {}),
      ...(backoff.length ? { maxTimeout: Math.max(...backoff) } : {}),
    },
  }
}

// Watch reports one attempt: a dispatch below RetryAgent.
class Watch extends DecoratorHandler {
  constructor (handler, attempt) {
    super(handler)
    this.attempt = attempt
  }

  onResponseStart (controller, status, headers, message) {
    this.attempt.status = status
    this.attempt.seen('headers_received', { status })
    return super.onResponseStart(controller, status, headers, message)
  }

  onResponseEnd (controller, trailers) {
    this.attempt.end('attempt_finished', { status: this.attempt.status })
    return super.onResponseEnd(controller, trailers)
  }

  onResponseError (controller, err) {
    this.attempt.broke(err)
    return super.onResponseError(controller, err)
  }
}

// Attempts counts the dispatches of one operation.
class Attempts {
  constructor (call) {
    this.call = call
    this.made = 0
  }

  interceptor () {
    return (dispatch) => (options, handler) => dispatch(options, new Watch(handler, this.next()))
  }

  next () {
    const { call } = this
    const n = ++this.made
    let over = false
    const seen = (event, fields) => { if (!over) call.report(event, { attempt: n, ...fields }) }
    const end = (event, fields) => { seen(event, fields); over = true }
    seen('attempt_started')
    return { seen, end, broke: (err) => this.broke(err, end) }
  }

  broke (err, end) {
    const error = { error_type: errorType(err), error: err.message, ...set('status', err.statusCode) }
    const outcome = outcomeOf(err)
    if (this.call.signal.aborted) end('attempt_cancelled', error)
    else if (outcome === 'attempt_timeout' || outcome === 'connect_timeout') end('attempt_timed_out', error)
    else end('attempt_failed', error)
  }
}

const options = (call, signal) => {
  const url = new URL(call.url)
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method: call.method,
    headers: call.headers(),
    body: call.requestBody,
    signal,
  }
}

// readme: RetryAgent around an Agent, and undici's timeouts. RetryAgent
// throws when its attempts are used up.
async function readme (call) {
  const { agent, retry } = call.client
  const attempts = new Attempts(call)
  const timeoutMs = Math.min(call.limits.totalMs ?? Infinity, call.budgetMs)
  const dispatcher = new RetryAgent(agent.compose(attempts.interceptor()), retry)
  try {
    const { statusCode: status, body } = await dispatcher.request({ ...options(call, call.signal), headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
    const bytes = Buffer.from(await body.arrayBuffer())
    if (!ok(status)) throw new Failure('unexpected_status', { status, message: `status ${status}` })
    return { status, body: bytes }
  } catch (err) {
    throw given(call, attempts.made, err)
  }
}

function given (call, made, err) {
  if (err instanceof Failure) return err
  if (call.signal.aborted) {
    call.report('cancellation_observed')
    return new Failure('cancelled', { cause: err })
  }
  if (err.code === 'UND_ERR_REQ_RETRY' && !ok(err.statusCode)) return failed('unexpected_status', made, err, err.statusCode)
  return failed(outcomeOf(err), made, err)
}

// openBounded has no timeout of undici's own but that of the dial and of
// silence: the deadline and the limit of the attempt are AbortSignals.
function openBounded (message) {
  const { sock_connect_ms: connectMs, sock_read_ms: readMs } = message.attempt ?? {}
  return new Agent({
    ...pool(message),
    headersTimeout: 0,
    bodyTimeout: readMs ?? 0,
    connect: { timeout: connectMs ?? 0 },
  })
}

async function attempt (call, signal, seen) {
  const { statusCode: status, body } = await unlessAborted(signal, call.client.request(options(call, signal)))
  seen('headers_received', { status })
  return { status, body: Buffer.from(await body.arrayBuffer()) }
}

// unlessAborted does not wait for a request that its signal has ended: while a
// request is in the queue of the pool, undici looks at the signal only when its
// turn comes, and drops it then without sending it.
function unlessAborted (signal, request) {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    request.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
    if (signal.aborted) leave()
  })
}

module.exports = {
  undici_readme: {
    program,
    settings: {
      timeout: 'headersTimeout and bodyTimeout: the smaller of attempt.total_ms and budget_ms; connect.timeout: that of sock_connect_ms and budget_ms',
      retries: 'RetryAgent: maxRetries, minTimeout, timeoutFactor, maxTimeout by the policy; its own lists of statuses and error codes',
      pool: 'Agent: connections by the pool’s limit, pipelining 1',
    },
    capabilities: ['cancel', 'pool', 'attempts', 'body'],
    open: openReadme,
    close: ({ agent }) => agent.destroy(),
    call: readme,
  },
  undici_bounded: {
    program,
    settings: {
      deadline: 'an AbortSignal taken at the call, over slot, pool (by a race with it), connect, attempts, pauses and body',
      attempt: 'total_ms by an AbortSignal of its own; connect.timeout: sock_connect_ms; bodyTimeout: sock_read_ms; headersTimeout 0',
      retries: 'own loop by the policy instead of RetryAgent, no pause outlives the deadline',
      slots: 'a semaphore around the operation, inside the deadline',
      pool: 'Agent: connections by the pool’s limit, pipelining 1',
    },
    capabilities: ['cancel', 'pool', 'slots', 'attempts', 'backoff', 'body', 'caller_deadline'],
    open: openBounded,
    close: (agent) => agent.destroy(),
    call: (call) => bounded(call, attempt),
  },
}
