'use strict'

// Every client against a server of this process.

const test = require('node:test')
const assert = require('node:assert/strict')
const http = require('node:http')
const { once } = require('node:events')
const { converse, operation } = require('./converse')

function client (library, name) {
  try {
    return require(`../lib/${library}`)[name]
  } catch (err) {
    if (err.code !== 'MODULE_NOT_FOUND') throw err
    return null
  }
}

const NAMES = ['fetch_readme', 'fetch_any', 'fetch_bounded', 'undici_readme', 'undici_bounded', 'axios_readme', 'axios_bounded']
const CLIENTS = NAMES.map((name) => ({ name, adapter: client(name.split('_')[0], name) }))

// each tests every client that is installed with a server that answers so.
function each (what, answer, check) {
  for (const { name, adapter } of CLIENTS) {
    test(`${name}: ${what}`, { skip: adapter ? false : 'its library is not installed' }, async () => {
      const requests = []
      const server = http.createServer((request, response) => { requests.push(request); answer(request, response, requests.length) })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const talk = converse({ name, version: '1', ...adapter })
      try {
        await check({ talk, requests, name, url: `http://127.0.0.1:${server.address().port}/`, capable: (what) => adapter.capabilities.includes(what) })
      } finally {
        await talk.end()
        server.closeAllConnections()
        server.close()
      }
    })
  }
}

const short = (url, more) => operation('a', {
  url, budget_ms: 30_000, attempt: {}, policy: { max_attempts: 3, backoff_ms: [1], retryable_statuses: [503], retryable_failures: [] }, ...more,
})

each('a success is its whole body, in one attempt', (request, response) => response.end('marker'), async ({ talk, url, requests }) => {
  talk.tell(short(url))
  const end = await talk.event('a', 'operation_finished')
  assert.equal(end.outcome, 'success')
  assert.equal(end.body, 'marker')
  assert.equal(requests.length, 1)
  assert.equal(talk.lines.filter((line) => line.includes('"attempt_started"')).length, 1)
})

each('it sends method, body and key', (request, response) => {
  let bytes = 0
  request.on('data', (piece) => { bytes += piece.length }).on('end', () => response.end(String(bytes)))
}, async ({ talk, url, requests }) => {
  talk.tell(short(url, { method: 'POST', body_bytes: 100_000, idempotency_key: 'once' }))
  assert.equal((await talk.event('a', 'operation_finished')).body, '100000')
  assert.equal(requests[0].method, 'POST')
  assert.equal(requests[0].headers['idempotency-key'], 'once')
})

each('a 503 is retried as far as it retries', (request, response) => { response.statusCode = 503; response.end('busy') }, async ({ talk, url, requests, name }) => {
  talk.tell(short(url))
  const end = await talk.event('a', 'operation_finished')
  const retries = !['fetch_readme', 'fetch_any'].includes(name)
  assert.equal(end.outcome, retries ? 'retries_exhausted' : 'unexpected_status')
  assert.equal(end.last, retries ? 'unexpected_status' : undefined)
  assert.equal(end.status, 503)
  assert.equal(requests.length, retries ? 3 : 1)
  assert.equal(talk.lines.filter((line) => line.includes('"attempt_started"')).length, requests.length)
})

each('a cancel ends a request that nobody answers', () => {}, async ({ talk, url, capable }) => {
  if (!capable('cancel')) return
  talk.tell(short(url))
  await talk.event('a', 'attempt_started')
  talk.tell({ type: 'cancel', op: 'a' })
  assert.equal((await talk.event('a', 'operation_finished')).outcome, 'cancelled')
})

each('a pool of one sends one request at a time', (request, response, n) => { if (n > 1) response.end('marker') }, async ({ talk, url, requests, name, capable }) => {
  if (!capable('pool')) return
  const pool = { limit: 1, limit_per_host: 1 }
  talk.tell({ ...short(url, { pool }), op: 'first' })
  while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
  talk.tell(short(url, { pool }))
  await talk.event('a', 'attempt_started')
  assert.equal(requests.length, 1)
  if (name.endsWith('bounded')) { // a cancel ends the wait in the queue while the connection is still busy
    talk.tell({ type: 'cancel', op: 'a' })
    assert.equal((await talk.event('a', 'operation_finished')).outcome, 'cancelled')
    assert.equal(requests.length, 1)
  }
  talk.tell({ type: 'cancel', op: 'first' })
  await talk.event('first', 'operation_finished')
})
