'use strict'

// The Node side of deadlinelab's adapter protocol, version 1: with it a program
// that wraps an HTTP client can be measured by deadlinelab's bench. The bench
// writes JSON lines to standard input, the client answers with JSON lines on
// standard output; standard error is for people. docs/adapter-protocol.md is the
// specification. This file needs nothing but Node.
//
//	const { serve, Failure } = require('./deadlinelab-adapter')
//	serve({
//	  name: 'my client', version: '1.2.3',
//	  settings: { timeout: 'budget_ms' },
//	  capabilities: ['cancel', 'attempts'],
//	  async call(call) {
//	    call.report('attempt_started', { attempt: 1 })
//	    const response = await myClient.get(call.url, { timeout: call.budgetMs, signal: call.signal })
//	    if (!response.ok) throw new Failure('unexpected_status', { status: response.status })
//	    return { status: response.status, body: await response.bytes() }
//	  },
//	})

const fs = require('node:fs')
const readline = require('node:readline')
const { performance } = require('node:perf_hooks')

const PROTOCOL = 1
const BODY_KEPT = 4096 // of a body operation_finished carries the last so many bytes

// Failure is what a call throws to say how it ended: one of the protocol's
// outcomes, with the error that the caller of the client would catch as cause.
// Anything else that a call throws is the client's own fault: client_error.
class Failure extends Error {
  constructor (outcome, { last, status, cause, message } = {}) {
    super(message ?? cause?.message ?? outcome, { cause })
    this.name = 'Failure'
    this.outcome = outcome
    this.last = last // beside retries_exhausted: how the last attempt failed
    this.status = status
  }
}

// errorType names an error as its catcher tells it apart: class and code, and
// those of its cause when the error itself has no code.
function errorType (err) {
  if (!(err instanceof Error)) return typeof err
  const own = className(err)
  if (typeof err.code === 'string') return `${own} ${err.code}`
  return err.cause instanceof Error ? `${own}, cause ${errorType(err.cause)}` : own
}

// className is the class of an error; a DOMException goes by its name, which is
// TimeoutError or AbortError.
function className (err) {
  return err instanceof DOMException ? err.name : err.constructor?.name || err.name
}

// sharedClock tells whether process.hrtime counts from the start of the host,
// as CLOCK_MONOTONIC does on Linux. /proc/uptime shows that instant in steps of
// 10 ms; a host that has slept shows another one, and then there is no proof.
function sharedClock () {
  try {
    const uptime = Number(fs.readFileSync('/proc/uptime', 'latin1').split(' ')[0])
    return Math.abs(uptime * 1e3 - Number(process.hrtime.bigint()) / 1e6) < 25
  } catch {
    return false
  }
}

// Slots are the places of one client: at most so many operations at a time,
// first come first served. None of them = no limit.
class Slots {
  constructor (count) {
    this.count = count
    this.taken = 0
    this.queue = []
  }

  get limited () { return this.count > 0 }

  // acquire waits for a slot; it rejects with the signal's reason once that has
  // aborted. Who has acquired must release.
  acquire (signal) {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (!this.limited || this.taken < this.count) {
      this.taken++
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const waiter = { admit: () => { signal?.removeEventListener('abort', leave); resolve() } }
      const leave = () => {
        this.queue.splice(this.queue.indexOf(waiter), 1)
        reject(signal.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.queue.push(waiter)
    })
  }

  release () {
    const next = this.queue.shift()
    if (next) next.admit()
    else this.taken--
  }
}

// Call is one operation as the client sees it. Times are milliseconds.
class Call {
  constructor (session, message, client) {
    this.session = session
    this.op = message.op
    this.url = message.url
    this.method = message.method || 'GET'
    this.requestBody = bodyOf(message.body_bytes ?? 0) // Buffer, or undefined
    this.idempotencyKey = message.idempotency_key
    this.budgetMs = message.budget_ms
    this.callerDeadlineMs = message.caller_deadline_ms ?? null
    this.policy = policyOf(message.policy)
    this.limits = limitsOf(message.attempt)
    this.client = client.state // what open returned for this client id
    this.slots = client.slots
    this.controller = new AbortController()
    this.signal = this.controller.signal // aborted when the caller cancels
    this.startedAt = performance.now() // the call: t0
    this.over = false
  }

  // report tells the bench that something has just happened. Fields have the
  // protocol's names. After the end of the operation nothing is reported.
  report (event, fields) {
    if (!this.over) this.session.event(this.op, event, fields)
  }

  // headers are those that the operation asks for.
  headers () {
    return this.idempotencyKey ? { 'idempotency-key': this.idempotencyKey } : {}
  }
}

// bodyOf is a request body of that length. Calls share it: one is filled before
// the first call that needs it, which is no part of that call.
const bodies = new Map()

function bodyOf (bytes) {
  if (bytes > 0 && !bodies.has(bytes)) bodies.set(bytes, Buffer.alloc(bytes, 'x'))
  return bodies.get(bytes)
}

function policyOf (policy = {}) {
  return {
    maxAttempts: policy.max_attempts ?? 1,
    backoffMs: policy.backoff_ms ?? [],
    retryableStatuses: policy.retryable_statuses ?? [],
    retryableFailures: policy.retryable_failures ?? [],
  }
}

function limitsOf (limits = {}) {
  return {
    totalMs: limits.total_ms ?? null,
    connectMs: limits.connect_ms ?? null,
    sockConnectMs: limits.sock_connect_ms ?? null,
    sockReadMs: limits.sock_read_ms ?? null,
  }
}

// Session is one conversation with the bench.
class Session {
  constructor (adapter, { input, output, log, monotonic }) {
    Object.assign(this, { adapter, input, output, log, monotonic })
    this.calls = new Map() // op -> Call under way
    this.held = new Map() // op of a hold_slot -> what gives the slots back
    this.clients = new Map() // client id -> {state, slots}
  }

  // run converses until shutdown or the end of the input. It rejects when the
  // bench does not speak the protocol.
  async run () {
    const lines = readline.createInterface({ input: this.input, crlfDelay: Infinity })
    let count = 0
    try {
      for await (const line of lines) {
        count++
        const message = parse(line, count)
        if (message.type === 'shutdown') return
        this.obey(message)
      }
    } finally {
      lines.close()
      this.end()
    }
  }

  obey (message) {
    switch (message.type) {
      case 'hello': return this.hello()
      case 'operation': return void this.operation(message)
      case 'hold_slot': return void this.holdSlot(message)
      case 'release': return this.held.get(message.op)?.(message.at_ns ?? 0)
      case 'cancel': return this.calls.get(message.op)?.controller.abort(new DOMException('The caller cancelled', 'AbortError'))
      case 'close': return this.forget(message.client)
    }
  }

  hello () {
    const { name, version, language, settings, capabilities } = this.adapter
    this.write(JSON.stringify({
      type: 'hello',
      protocol: PROTOCOL,
      name,
      version,
      language: language ?? `Node ${process.versions.node}`,
      settings: settings ?? {},
      capabilities: capabilities ?? [],
      clock: this.monotonic ? 'monotonic' : 'none',
    }))
  }

  // clientOf is the client with that id. Its slots are there from the first time
  // it is named.
  clientOf (message) {
    let client = this.clients.get(message.client)
    if (!client) {
      client = { open: false, state: undefined, slots: new Slots(message.slots ?? 0) }
      this.clients.set(message.client, client)
    }
    return client
  }

  // opened is the client of an operation, made by the first one, which says with
  // what settings. Making it is no part of the call.
  opened (message) {
    const client = this.clientOf(message)
    if (!client.open) {
      client.state = this.adapter.open?.(message)
      client.open = true
    }
    return client
  }

  async operation (message) {
    let call
    try {
      call = new Call(this, message, this.opened(message))
      this.calls.set(call.op, call)
      call.report('operation_started')
      const { status, body } = await this.adapter.call(call)
      this.finish(call, { outcome: 'success', status, ...bodyFields(body) })
    } catch (err) {
      this.finish(call ?? this.stillborn(message), this.failure(err))
    }
  }

  // stillborn is a call that failed before it could begin.
  stillborn (message) {
    const call = { op: message.op, over: false, report: Call.prototype.report, session: this }
    call.report('operation_started')
    return call
  }

  failure (err) {
    if (!(err instanceof Failure)) {
      this.log(err?.stack ?? String(err))
      return { outcome: 'client_error', error_type: errorType(err), error: String(err?.message ?? err) }
    }
    const { outcome, last, status, cause } = err
    return { outcome, last, status, error_type: cause ? errorType(cause) : undefined, error: err.message }
  }

  finish (call, fields) {
    call.report('operation_finished', fields)
    call.over = true
    this.calls.delete(call.op)
  }

  // holdSlot takes every slot of a client and keeps them until release: what a
  // caller does whose request takes long.
  async holdSlot (message) {
    const { op } = message
    const slots = this.clientOf(message).slots
    this.event(op, 'operation_started')
    this.event(op, 'admission_wait_started')
    const released = new Promise((resolve) => this.held.set(op, resolve))
    for (let i = 0; i < slots.count; i++) await slots.acquire()
    this.event(op, 'admission_acquired')
    await at(await released)
    for (let i = 0; i < slots.count; i++) slots.release()
    this.held.delete(op)
    this.event(op, 'admission_released')
    this.event(op, 'operation_finished', { outcome: 'success' })
  }

  forget (id) {
    const client = this.clients.get(id)
    this.clients.delete(id)
    if (client?.open) this.adapter.close?.(client.state)
  }

  end () {
    for (const call of this.calls.values()) call.controller.abort(new DOMException('The bench has ended', 'AbortError'))
    for (const id of [...this.clients.keys()]) this.forget(id)
  }

  // event writes an event with the instant of this call. The number is put into
  // the text as it is: beyond 2^53 ns, 104 days after the host's start, a number
  // of JavaScript would lose digits.
  event (op, event, fields) {
    const time = this.monotonic ? `,"t_ns":${process.hrtime.bigint()}` : ''
    const rest = JSON.stringify(fields ?? {}).slice(1)
    this.write(`{"type":"event","op":${JSON.stringify(op)},"event":"${event}"${time}${rest === '}' ? rest : ',' + rest}`)
  }

  write (line) {
    this.output.write(line + '\n')
  }
}

function parse (line, number) {
  let message
  try {
    message = JSON.parse(line)
  } catch (err) {
    throw new Error(`line ${number} from the bench is not JSON (${err.message}): ${line.slice(0, 200)}`)
  }
  if (typeof message?.type !== 'string') {
    throw new Error(`line ${number} from the bench: found no type, expected a message with the field "type": ${line.slice(0, 200)}`)
  }
  return message
}

// at waits until an instant of process.hrtime, 0 = at once. Node's timers go by
// whole milliseconds: the last two are watched.
async function at (ns) {
  const left = () => Number(BigInt(ns) - process.hrtime.bigint()) / 1e6
  if (ns === 0) return
  if (left() > 2) await new Promise((resolve) => setTimeout(resolve, left() - 2))
  while (left() > 0) await new Promise((resolve) => setImmediate(resolve))
}

// bodyFields is a response body as operation_finished carries it.
function bodyFields (body) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body ?? '')
  const tail = bytes.subarray(Math.max(0, bytes.length - BODY_KEPT))
  let text = tail.toString('utf8')
  if (Buffer.byteLength(text) > BODY_KEPT) text = tail.toString('latin1').replace(/[^\x20-\x7e\n]/g, '?') // no text
  return { bytes: bytes.length, body: text }
}

// serve lets the bench call through adapter: {name, version, language?,
// settings?, capabilities?, call(call), open?(message), close?(state)}. open
// makes the client that operations of one client id share, close ends it. call
// returns {status, body} once a 2xx and its whole body are there, and throws a
// Failure otherwise. The promise ends with the conversation.
function serve (adapter, streams = {}) {
  const session = new Session(adapter, {
    input: streams.input ?? process.stdin,
    output: streams.output ?? process.stdout,
    log: streams.log ?? ((text) => process.stderr.write(text + '\n')),
    monotonic: streams.monotonic ?? sharedClock(),
  })
  return session.run()
}

module.exports = { serve, Failure, Slots, errorType, sharedClock }
