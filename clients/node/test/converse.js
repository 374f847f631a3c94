'use strict'

const { PassThrough } = require('node:stream')
const { serve } = require('../deadlinelab-adapter')

// converse serves an adapter in memory: tell writes a message, heard gives the
// next line that satisfies a condition, end closes the input.
function converse (adapter, streams = {}) {
  const input = new PassThrough()
  const output = new PassThrough({ encoding: 'utf8' })
  const lines = []
  const waiting = []
  let rest = ''
  output.on('data', (text) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop()
    for (const part of parts) lines.push(part)
    for (const look of [...waiting]) look()
  })
  const served = serve(adapter, { input, output, log: () => {}, monotonic: true, ...streams })
  const heard = (wanted) => new Promise((resolve) => {
    const look = () => {
      const at = lines.findIndex((line) => wanted(JSON.parse(line)))
      if (at < 0) return false
      waiting.splice(waiting.indexOf(look), 1)
      resolve({ ...JSON.parse(lines[at]), line: lines[at] })
      return true
    }
    waiting.push(look)
    look()
  })
  return {
    tell: (message) => input.write((typeof message === 'string' ? message : JSON.stringify(message)) + '\n'),
    heard,
    event: (op, event) => heard((m) => m.op === op && m.event === event),
    lines,
    end: () => { input.end(); return served },
    served,
  }
}

const operation = (op, more = {}) => ({
  type: 'operation', op, client: 'c', url: 'http://127.0.0.1:1/', method: 'GET', budget_ms: 1000,
  policy: { max_attempts: 3, backoff_ms: [100, 200], retryable_statuses: [503], retryable_failures: ['attempt_timeout'] },
  attempt: { total_ms: 400, connect_ms: null, sock_connect_ms: null, sock_read_ms: null }, ...more,
})

module.exports = { converse, operation }
