'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { bounded } = require('../lib/bounded')
const { outcomeOf } = require('../lib/outcome')
const { Failure } = require('../deadlinelab-adapter')
const { converse, operation } = require('./converse')

// run makes one call with attempts that answer or throw what steps say, in
// turn; a step may be a function of the attempt's signal. It gives the kinds of
// events and the last one.
async function run (steps, more = {}, also = () => {}) {
  let n = 0
  const talk = converse({
    name: 'x',
    version: '1',
    call: (call) => bounded(call, async (_, signal) => {
      const step = steps[n++]
      if (typeof step === 'function') return step(signal)
      if (step instanceof Error) throw step
      return { status: step, body: Buffer.from('body') }
    }),
  })
  talk.tell(operation('a', more))
  also(talk)
  const end = await talk.event('a', 'operation_finished')
  await talk.end()
  return { end, events: talk.lines.map((line) => JSON.parse(line)).filter((e) => e.op === 'a') }
}

const kinds = (events) => events.map((e) => e.event)
const policy = (more) => ({ policy: { max_attempts: 3, backoff_ms: [1], retryable_statuses: [503], retryable_failures: ['attempt_timeout', 'transport_error'], ...more } })
const never = (signal) => new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

test('a success is one attempt', async () => {
  const { end, events } = await run([200], policy())
  assert.deepEqual(kinds(events), ['operation_started', 'attempt_started', 'body_finished', 'attempt_finished', 'operation_finished'])
  assert.equal(end.outcome, 'success')
})

test('what the policy names is tried again, after its pause', async () => {
  const { end, events } = await run([503, new Error('reset'), 200], policy({ backoff_ms: [1, 2] }))
  assert.equal(end.outcome, 'success')
  assert.deepEqual(events.filter((e) => e.event === 'backoff_started').map((e) => [e.attempt, e.planned_ms]), [[1, 1], [2, 2]])
})

test('attempts that are used up: the last failure is beside retries_exhausted', async () => {
  const { end, events } = await run([503, 503, 503], policy())
  assert.equal(end.outcome, 'retries_exhausted')
  assert.equal(end.last, 'unexpected_status')
  assert.equal(end.status, 503)
  assert.equal(kinds(events).filter((k) => k === 'attempt_started').length, 3)
  assert.equal(kinds(events).filter((k) => k === 'backoff_started').length, 2)
})

test('with one attempt allowed its failure is the outcome', async () => {
  const { end } = await run([503], policy({ max_attempts: 1 }))
  assert.equal(end.outcome, 'unexpected_status')
})

test('what the policy does not name is not tried again', async () => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  for (const [step, outcome] of [[404, 'unexpected_status'], [refused, 'connect_error']]) {
    const { end, events } = await run([step], policy())
    assert.equal(end.outcome, outcome)
    assert.equal(kinds(events).includes('backoff_started'), false)
  }
})

test('the limit of an attempt ends that attempt alone', async () => {
  const { end, events } = await run([never, 200], { ...policy(), budget_ms: 60_000, attempt: { total_ms: 5 } })
  const limit = events.find((e) => e.event === 'attempt_timed_out')
  assert.deepEqual([limit.attempt, limit.limit, limit.error_type], [1, 'total_ms', 'TimeoutError'])
  assert.equal(end.outcome, 'success')
})

test('the deadline ends attempt and pause as a TimeoutError', async () => {
  const attempt = await run([never], { ...policy(), budget_ms: 10, attempt: {} })
  assert.ok(kinds(attempt.events).includes('attempt_cancelled'))
  const pause = await run([503], { ...policy({ backoff_ms: [60_000] }), budget_ms: 10, attempt: {} })
  assert.ok(kinds(pause.events).includes('backoff_started'))
  assert.equal(kinds(pause.events).includes('backoff_finished'), false)
  for (const { end, events } of [attempt, pause]) {
    assert.equal(end.outcome, 'deadline_exceeded')
    assert.equal(end.error_type, 'TimeoutError')
    assert.ok(kinds(events).includes('deadline_fired'))
  }
})

test('a deadline that has passed at the call sends nothing', async () => {
  const { end, events } = await run([200], { ...policy(), caller_deadline_ms: 0 })
  assert.deepEqual(kinds(events), ['operation_started', 'operation_finished'])
  assert.equal(end.outcome, 'deadline_exceeded')
})

test('an answer that comes after the deadline is no success', async () => {
  const late = async (signal) => {
    await never(signal).catch(() => {})
    return { status: 200, body: Buffer.from('late') }
  }
  assert.equal((await run([late], { ...policy(), budget_ms: 5, attempt: {} })).end.outcome, 'deadline_exceeded')
})

test('the caller’s cancel ends attempt and pause as an AbortError', async () => {
  const long = { ...policy({ backoff_ms: [60_000] }), budget_ms: 60_000, attempt: {} }
  for (const [step, when] of [[never, 'attempt_started'], [503, 'backoff_started']]) {
    const { end, events } = await run([step], long, (talk) => {
      talk.event('a', when).then(() => talk.tell({ type: 'cancel', op: 'a' }))
    })
    assert.equal(end.outcome, 'cancelled')
    assert.equal(end.error_type, 'AbortError')
    assert.ok(kinds(events).includes('cancellation_observed'))
  }
})

test('the deadline ends the wait for a slot: no attempt is made', async () => {
  const talk = converse({ name: 'x', version: '1', call: (call) => bounded(call, () => assert.fail('an attempt was made')) })
  talk.tell({ type: 'hold_slot', op: 'h', client: 'c', slots: 1 })
  talk.tell(operation('a', { slots: 1, budget_ms: 5 }))
  const end = await talk.event('a', 'operation_finished')
  assert.equal(end.outcome, 'deadline_exceeded')
  assert.equal(end.error_type, 'TimeoutError')
  talk.tell({ type: 'release', op: 'h' })
  await talk.event('h', 'operation_finished')
  await talk.end()
})

test('a slot is given back however the operation ends', async () => {
  const { end, events } = await run([404], { ...policy(), slots: 1 })
  assert.equal(end.outcome, 'unexpected_status')
  assert.deepEqual(kinds(events).slice(1, 3), ['admission_wait_started', 'admission_acquired'])
  assert.equal(kinds(events).at(-2), 'admission_released')
})

test('outcomes go by class and code, through causes', () => {
  const coded = (code, more) => Object.assign(new Error('x'), { code, ...more })
  const caused = (cause) => new TypeError('fetch failed', { cause })
  for (const [err, outcome] of [
    [coded('UND_ERR_HEADERS_TIMEOUT'), 'attempt_timeout'],
    [coded('ECONNABORTED'), 'attempt_timeout'],
    [new DOMException('x', 'TimeoutError'), 'attempt_timeout'],
    [new DOMException('x', 'AbortError'), 'cancelled'],
    [coded('ERR_CANCELED'), 'cancelled'],
    [caused(coded('UND_ERR_CONNECT_TIMEOUT')), 'connect_timeout'],
    [coded('ETIMEDOUT', { syscall: 'connect' }), 'connect_timeout'],
    [caused(coded('ECONNREFUSED')), 'connect_error'],
    [caused(coded('ECONNRESET')), 'transport_error'],
    [caused(coded('Z_DATA_ERROR')), 'invalid_data'],
    [new Failure('x'), 'transport_error'],
  ]) assert.equal(outcomeOf(err), outcome, String(err.cause ?? err))
})
