'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { Failure, Slots, errorType, sharedClock } = require('../deadlinelab-adapter')
const { converse, operation } = require('./converse')

const success = { name: 'x', version: '1', call: async () => ({ status: 200, body: 'fine' }) }

test('hello says what the client is', async () => {
  const talk = converse({ name: 'lib', version: '1.2', settings: { timeout: 'none' }, capabilities: ['cancel'], call: () => {} })
  talk.tell({ type: 'hello', protocol: 1, bench: 'test' })
  const { line, ...hello } = await talk.heard((m) => m.type === 'hello')
  assert.deepEqual(hello, {
    type: 'hello', protocol: 1, name: 'lib', version: '1.2', language: `Node ${process.versions.node}`,
    settings: { timeout: 'none' }, capabilities: ['cancel'], clock: 'monotonic',
  })
  await talk.end()
})

test('an operation is started, reported and finished with its body', async () => {
  const talk = converse({
    ...success,
    async call (call) {
      call.report('attempt_started', { attempt: 1 })
      assert.equal(call.budgetMs, 1000)
      assert.equal(call.limits.totalMs, 400)
      assert.equal(call.limits.connectMs, null)
      assert.deepEqual(call.policy.backoffMs, [100, 200])
      return { status: 200, body: Buffer.from('marker') }
    },
  })
  talk.tell(operation('a'))
  const end = await talk.event('a', 'operation_finished')
  assert.deepEqual(talk.lines.map((l) => JSON.parse(l).event), ['operation_started', 'attempt_started', 'operation_finished'])
  assert.equal(end.outcome, 'success')
  assert.equal(end.status, 200)
  assert.equal(end.bytes, 6)
  assert.equal(end.body, 'marker')
  await talk.end()
})

test('of a long body the last 4096 bytes are sent, and its whole length', async () => {
  for (const filler of ['a', 'ü', '\xff']) {
    const body = Buffer.from(filler.repeat(9000) + 'the end', filler === '\xff' ? 'latin1' : 'utf8')
    const talk = converse({ ...success, call: async () => ({ status: 200, body }) })
    talk.tell(operation('a'))
    const end = await talk.event('a', 'operation_finished')
    assert.equal(end.bytes, body.length)
    assert.ok(end.body.endsWith('the end'))
    assert.ok(Buffer.byteLength(end.body) <= 4096)
    await talk.end()
  }
})

test('t_ns is a whole number that JSON text keeps, in order', async () => {
  const before = process.hrtime.bigint()
  const talk = converse(success)
  talk.tell(operation('a'))
  await talk.event('a', 'operation_finished')
  const times = talk.lines.map((l) => BigInt(/"t_ns":(\d+)[,}]/.exec(l)[1]))
  assert.ok(times[0] >= before && times[1] >= times[0] && process.hrtime.bigint() >= times[1])
  await talk.end()
})

test('a number beyond 2^53 loses no digit', async (t) => {
  t.mock.method(process.hrtime, 'bigint', () => 9007199254740993n)
  const talk = converse(success)
  talk.tell(operation('a'))
  const { line } = await talk.event('a', 'operation_finished')
  assert.match(line, /"t_ns":9007199254740993,/)
  await talk.end()
})

test('without a shared clock events carry no time', async () => {
  const talk = converse(success, { monotonic: false })
  talk.tell({ type: 'hello', protocol: 1 })
  assert.equal((await talk.heard((m) => m.type === 'hello')).clock, 'none')
  talk.tell(operation('a'))
  assert.equal('t_ns' in await talk.event('a', 'operation_finished'), false)
  await talk.end()
})

test('process.hrtime is the clock of /proc/uptime', { skip: process.platform !== 'linux' }, (t) => {
  const now = process.hrtime.bigint
  t.mock.method(process.hrtime, 'bigint', () => now() + 100_000_000n)
  assert.equal(sharedClock(), false)
})

test('a Failure is its outcome, with the error of the caller', async () => {
  const cause = Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) })
  const talk = converse({ ...success, call: async () => { throw new Failure('retries_exhausted', { last: 'connect_error', cause }) } })
  talk.tell(operation('a'))
  const end = await talk.event('a', 'operation_finished')
  assert.equal(end.outcome, 'retries_exhausted')
  assert.equal(end.last, 'connect_error')
  assert.equal(end.error_type, 'TypeError, cause Error ECONNREFUSED')
  assert.equal(end.error, 'fetch failed')
  await talk.end()
})

test('any other error is the client’s own: client_error, and its stack is logged', async () => {
  const logged = []
  const talk = converse({ ...success, call: async () => { throw new RangeError('bug') } }, { log: (text) => logged.push(text) })
  talk.tell(operation('a'))
  const end = await talk.event('a', 'operation_finished')
  assert.equal(end.outcome, 'client_error')
  assert.equal(end.error_type, 'RangeError')
  assert.match(logged[0], /RangeError: bug\n.*at /)
  await talk.end()
})

test('a client that cannot be made fails its operation, not the others', async () => {
  const talk = converse({ ...success, open: ({ client }) => { if (client === 'bad') throw new Error('no') } })
  talk.tell(operation('a', { client: 'bad' }))
  talk.tell(operation('b'))
  assert.equal((await talk.event('a', 'operation_finished')).outcome, 'client_error')
  assert.equal((await talk.event('b', 'operation_finished')).outcome, 'success')
  await talk.end()
})

test('cancel aborts the signal of that operation alone', async () => {
  const talk = converse({
    ...success,
    call: (call) => new Promise((resolve, reject) => {
      if (call.op === 'b') return setImmediate(() => resolve({ status: 200, body: '' }))
      call.signal.addEventListener('abort', () => reject(new Failure('cancelled', { cause: call.signal.reason })))
    }),
  })
  talk.tell(operation('a'))
  await talk.event('a', 'operation_started')
  talk.tell({ type: 'cancel', op: 'a' })
  const end = await talk.event('a', 'operation_finished')
  assert.equal(end.outcome, 'cancelled')
  assert.equal(end.error_type, 'AbortError')
  talk.tell(operation('b'))
  assert.equal((await talk.event('b', 'operation_finished')).outcome, 'success')
  await talk.end()
})

test('after its end an operation reports nothing', async () => {
  let late
  const talk = converse({ ...success, call: async (call) => { late = call; return { status: 200, body: '' } } })
  talk.tell(operation('a'))
  await talk.event('a', 'operation_finished')
  late.report('attempt_started', { attempt: 2 })
  talk.tell(operation('b'))
  await talk.event('b', 'operation_finished')
  assert.equal(talk.lines.filter((l) => JSON.parse(l).op === 'a').length, 2)
  await talk.end()
})

test('operations of one client id share a client, close ends it, another id has its own', async () => {
  let made = 0
  const closed = []
  const seen = []
  const talk = converse({
    ...success,
    open: () => ++made,
    close: (state) => closed.push(state),
    call: async (call) => { seen.push(call.client); return { status: 200, body: '' } },
  })
  for (const [op, client] of [['a', 'one'], ['b', 'one'], ['c', 'two']]) {
    talk.tell(operation(op, { client }))
    await talk.event(op, 'operation_finished')
  }
  talk.tell({ type: 'close', client: 'one' })
  talk.tell(operation('d', { client: 'one' }))
  await talk.event('d', 'operation_finished')
  assert.deepEqual(seen, [1, 1, 2, 3])
  assert.deepEqual(closed, [1])
  await talk.end()
  assert.deepEqual(closed.sort(), [1, 2, 3])
})

test('hold_slot takes every slot until release; at_ns is not passed early', async () => {
  const talk = converse({
    ...success,
    async call (call) {
      await call.slots.acquire(call.signal)
      call.report('admission_acquired')
      call.slots.release()
      return { status: 200, body: '' }
    },
  })
  talk.tell({ type: 'hold_slot', op: 'h', client: 'c', slots: 2 })
  await talk.event('h', 'admission_acquired')
  talk.tell(operation('a', { slots: 2 }))
  await talk.event('a', 'operation_started')
  const due = process.hrtime.bigint() + 5_000_000n
  talk.tell(`{"type":"release","op":"h","at_ns":${due}}`)
  const freed = await talk.event('h', 'admission_released')
  assert.ok(BigInt(freed.t_ns) >= due)
  assert.equal((await talk.event('h', 'operation_finished')).outcome, 'success')
  assert.ok(BigInt((await talk.event('a', 'admission_acquired')).t_ns) >= due)
  await talk.end()
})

test('a client is made from its first operation, not from a hold_slot before it', async () => {
  const opened = []
  const talk = converse({ ...success, open: (message) => opened.push(message.type) })
  talk.tell({ type: 'hold_slot', op: 'h', client: 'c', slots: 1 })
  await talk.event('h', 'admission_acquired')
  assert.deepEqual(opened, [])
  talk.tell(operation('a', { slots: 1 }))
  await talk.event('a', 'operation_finished')
  assert.deepEqual(opened, ['operation'])
  talk.tell({ type: 'release', op: 'h' })
  await talk.event('h', 'operation_finished')
  await talk.end()
})

test('shutdown ends the conversation, and so does the end of the input', async () => {
  const talk = converse(success)
  talk.tell({ type: 'shutdown' })
  await talk.served
  await converse(success).end()
})

test('a line that is no message is named with its number', async () => {
  for (const [line, wanted] of [['{"type":', /line 1 from the bench is not JSON/], ['{}', /line 1 from the bench: found no type/], ['3', /found no type/]]) {
    const talk = converse(success)
    talk.tell(line)
    await assert.rejects(talk.served, wanted)
  }
})

test('slots admit in order, and who leaves the queue gets none', async () => {
  const slots = new Slots(1)
  const order = []
  await slots.acquire()
  const leaving = new AbortController()
  const left = assert.rejects(slots.acquire(leaving.signal), /gone/)
  const second = slots.acquire().then(() => order.push('second'))
  const third = slots.acquire().then(() => order.push('third'))
  leaving.abort(new Error('gone'))
  await left
  slots.release()
  await second
  assert.deepEqual(order, ['second'])
  slots.release()
  await third
  slots.release()
  assert.equal(slots.taken, 0)
})

test('a slot is not given to a caller that has left already', async () => {
  const slots = new Slots(1)
  await assert.rejects(slots.acquire(AbortSignal.abort(new Error('gone'))), /gone/)
  assert.equal(slots.taken, 0)
})

test('error types name class and code', () => {
  assert.equal(errorType(new DOMException('x', 'TimeoutError')), 'TimeoutError')
  assert.equal(errorType(Object.assign(new Error('x'), { code: 'E_X' })), 'Error E_X')
  assert.equal(errorType(new RangeError('x')), 'RangeError')
  assert.equal(errorType('text'), 'string')
})
