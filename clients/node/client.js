#!/usr/bin/env node
'use strict'

// Node clients that deadlinelab's bench can measure:
//	node clients/node/client.js NAME      speaks the adapter protocol as that client
//	node clients/node/client.js --list    NAME, program and version, one line each
//	node clients/node/client.js install   installs what package-lock.json says

const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { serve } = require('./deadlinelab-adapter')
const { warm } = require('./lib/warm')

// One module per library; it is loaded only when one of its clients is asked for.
const NAMES = {
  fetch_readme: './lib/fetch', fetch_any: './lib/fetch', fetch_bounded: './lib/fetch',
  undici_readme: './lib/undici', undici_bounded: './lib/undici',
  axios_readme: './lib/axios', axios_bounded: './lib/axios',
}

function main ([word]) {
  if (word === '--list') return list()
  if (word === 'install') return spawnSync(path.join(__dirname, 'install'), { stdio: 'inherit' }).status ?? 3
  if (!Object.hasOwn(NAMES, word ?? '')) {
    console.error(`client.js: found ${word === undefined ? 'no name' : `the name ${word}`}, expected one of ${Object.keys(NAMES).join(', ')}, --list or install`)
    return 64
  }
  return converse(word)
}

function client (name) {
  try {
    return require(NAMES[name])[name]
  } catch (err) {
    if (err.code !== 'MODULE_NOT_FOUND') throw err
    return null
  }
}

function list () {
  for (const name of Object.keys(NAMES)) {
    const found = client(name)
    const { name: program, version } = found?.program ?? { name: name.split('_')[0], version: () => 'not installed: run clients/node/install' }
    console.log([name, program, version()].join('\t'))
  }
  return 0
}

async function converse (name) {
  const found = client(name)
  if (!found) {
    console.error(`client.js: the library of ${name} is not installed; run clients/node/install`)
    return 3
  }
  const { program, ...adapter } = found
  await warm(adapter)
  await serve({ name: program.name, version: program.version(), ...adapter })
  return 0
}

Promise.resolve(main(process.argv.slice(2))).then(
  (code) => process.exit(code),
  (err) => { console.error(`client.js: ${err.stack}`); process.exit(70) })
