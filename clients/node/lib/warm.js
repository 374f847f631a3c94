'use strict'

// Before its hello a client calls a server of its own a few times: Node loads
// fetch and compiles undici's parser at the first request, which takes tens of
// milliseconds. A service that has run for a while has that behind it; the
// bench measures waits, not how a runtime starts.

const http = require('node:http')
const { once } = require('node:events')
const { PassThrough } = require('node:stream')
const { serve } = require('../deadlinelab-adapter')

const CALLS = 20

// answer is a 503 first and a 200 after it, so that a retry has been made once.
function answer () {
  let requests = 0
  return (request, response) => {
    request.resume()
    response.writeHead(requests++ % 2 ? 200 : 503, { 'content-type': 'text/plain' })
    response.end('warm')
  }
}

const operation = (op, url) => ({
  type: 'operation',
  op,
  client: 'warm',
  url,
  method: 'GET',
  budget_ms: 2000,
  policy: { max_attempts: 2, backoff_ms: [1], retryable_statuses: [503], retryable_failures: [] },
  attempt: { total_ms: 1000, connect_ms: null, sock_connect_ms: null, sock_read_ms: null },
})

// warm makes calls through the adapter, one after the other, in a conversation
// that nobody else hears.
async function warm (adapter) {
  const server = http.createServer(answer())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const input = new PassThrough()
  const output = new PassThrough({ encoding: 'utf8' })
  const ends = new Ends(output)
  const ended = serve(adapter, { input, output })
  const url = `http://127.0.0.1:${server.address().port}/`
  for (let i = 0; i < CALLS; i++) {
    input.write(JSON.stringify(operation(`warm-${i}`, url)) + '\n')
    await ends.reach(i + 1)
  }
  input.end()
  await ended
  server.closeAllConnections()
  server.close()
}

// Ends counts the operations that have finished, as the conversation goes on.
class Ends {
  constructor (output) {
    this.count = 0
    this.rest = ''
    output.on('data', (text) => this.read(text))
  }

  read (text) {
    const lines = (this.rest + text).split('\n')
    this.rest = lines.pop()
    this.count += lines.filter((line) => line.includes('"operation_finished"')).length
    if (this.count >= this.wanted) this.resolve()
  }

  reach (count) {
    if (this.count >= count) return Promise.resolve()
    this.wanted = count
    return new Promise((resolve) => { this.resolve = resolve })
  }
}

module.exports = { warm }
