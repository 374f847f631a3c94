'use strict'

// axios over Node's http, with the retry interceptor of its documentation or
// with one deadline around it.

const http = require('node:http')
const axios = require('axios')
const { Failure, errorType } = require('../deadlinelab-adapter')
const { bounded } = require('./bounded')
const { outcomeOf, failed, ok } = require('./outcome')

const program = { name: 'axios', version: () => axios.VERSION }

// connections is an http.Agent with the pool's limits.
function connections ({ pool } = {}) {
  return new http.Agent({
    keepAlive: true,
    ...(pool?.limit_per_host ? { maxSockets: pool.limit_per_host } : {}),
    ...(pool?.limit ? { maxTotalSockets: pool.limit } : {}),
  })
}

// base is what both clients have: bytes as they came, so that the whole body
// can be counted, and no proxy from the environment.
const base = (agent) => ({ httpAgent: agent, proxy: false, responseType: 'arraybuffer' })

const request = (call) => ({ url: call.url, method: call.method, headers: call.headers(), data: call.requestBody })

const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

// openReadme is an instance with a response interceptor that sends a failed
// request again after a growing pause: after a 5xx, and after any error without
// a response.
function openReadme (message) {
  const { max_attempts: attempts = 1, backoff_ms: backoff = [] } = message.policy ?? {}
  const agent = connections(message)
  const api = axios.create(base(agent))
  api.interceptors.request.use((config) => { config.watch.started(); return config })
  api.interceptors.response.use(
    (response) => { response.config.watch.finished(response); return response },
    async (error) => {
      const { config } = error
      if (!config) throw error
      config.watch.broke(error)
      const again = !error.response || (error.response.status >= 500 && error.response.status < 600)
      config.retryCount = config.retryCount ?? 0
      if (!again || config.retryCount >= attempts - 1) throw error
      config.retryCount += 1
      const ms = backoff[Math.min(config.retryCount, backoff.length) - 1] ?? 0
      await config.watch.pause(ms, () => delay(ms))
      return api(config)
    })
  return { api, agent }
}

// answered tells an answer that is not a 2xx from one whose body broke: that
// error has the head of the response alone.
const answered = (err) => err.response !== undefined && err.response.data !== undefined && !ok(err.response.status)

// Watch reports the attempts of one call, as the interceptors see them.
class Watch {
  constructor (call) {
    this.call = call
    this.made = 0
  }

  seen (event, fields) { this.call.report(event, { attempt: this.made, ...fields }) }

  started () {
    this.made++
    this.seen('attempt_started')
  }

  finished ({ status, data }) {
    this.seen('body_finished', { bytes: data.length })
    this.seen('attempt_finished', { status })
  }

  broke (err) {
    if (answered(err)) return this.finished(err.response)
    const error = { error_type: errorType(err), error: err.message }
    if (axios.isCancel(err)) this.seen('attempt_cancelled', error)
    else if (outcomeOf(err) === 'attempt_timeout') this.seen('attempt_timed_out', error)
    else this.seen('attempt_failed', error)
  }

  async pause (ms, slept) {
    this.seen('backoff_started', { planned_ms: ms })
    await slept()
    this.seen('backoff_finished')
  }
}

async function readme (call) {
  const watch = new Watch(call)
  try {
    const { status, data } = await call.client.api({ ...request(call), timeout: Math.min(call.limits.totalMs ?? Infinity, call.budgetMs), signal: call.signal, watch })
    return { status, body: data }
  } catch (err) {
    throw given(call, watch.made, err)
  }
}

function given (call, made, err) {
  if (axios.isCancel(err)) {
    call.report('cancellation_observed')
    return new Failure('cancelled', { cause: err })
  }
  if (!axios.isAxiosError(err)) return err
  if (answered(err)) return failed('unexpected_status', made, err, err.response.status)
  return failed(outcomeOf(err), made, err)
}

// openBounded is an instance without a timeout of its own: signals end it.
function openBounded (message) {
  const agent = connections(message)
  return { api: axios.create({ ...base(agent), timeout: 0, validateStatus: () => true }), agent }
}

async function attempt (call, signal, seen) {
  const { status, data } = await call.client.api({ ...request(call), signal })
  return { status, body: data }
}

module.exports = {
  axios_readme: {
    program,
    settings: {
      timeout: 'timeout: the smaller of attempt.total_ms and budget_ms',
      retries: 'the response interceptor of the documentation: 5xx and any error without a response, attempts and pauses by the policy',
      cancel: 'signal: the caller’s AbortSignal',
      pool: 'http.Agent: keepAlive, maxSockets and maxTotalSockets by the pool’s limits',
    },
    capabilities: ['cancel', 'pool', 'attempts', 'backoff', 'body'],
    open: openReadme,
    close: ({ agent }) => agent.destroy(),
    call: readme,
  },
  axios_bounded: {
    program,
    settings: {
      deadline: 'signal: an AbortSignal taken at the call, over slot, pool, connect, attempts, pauses and body',
      attempt: 'total_ms by an AbortSignal of its own; timeout 0',
      retries: 'own loop by the policy, no pause outlives the deadline',
      slots: 'a semaphore around the operation, inside the deadline',
      pool: 'http.Agent: keepAlive, maxSockets and maxTotalSockets by the pool’s limits',
    },
    capabilities: ['cancel', 'pool', 'slots', 'attempts', 'backoff', 'body', 'caller_deadline'],
    open: openBounded,
    close: ({ agent }) => agent.destroy(),
    call: (call) => bounded(call, attempt),
  },
}
