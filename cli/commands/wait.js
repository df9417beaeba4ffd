import { failureOf } from '../support/api.js'
import { Failure } from '../support/failure.js'
import { GATE, gateLines, gatePage, withClearance } from '../support/gates.js'
import { wholeNumber } from '../support/numbers.js'
import { programWith } from '../support/program.js'
import { pause } from '../support/service.js'
import { onTerminal, printJson, printProgress, printResult } from '../support/terminal.js'

/** Twice as often as a decision has to be known. */
const POLL_MS = 500
const MAX_SECONDS = 30 * 86_400

const EXIT_CODES = new Map([
  ['rejected', 1],
  ['expired', 1],
  ['cancelled', 1],
  ['changes_requested', 2],
])

/**
 * The exit code for a gate; undefined while the answer is open. What is not clear is no yes.
 *
 * @param {any} gate
 * @param {boolean} decided whether the decision alone is waited for
 */
function exitCodeOf(gate, decided) {
  if (gate?.status !== 'approved') return EXIT_CODES.get(gate?.status)
  const state = gate.clearance?.state
  return state === 'clear' || (decided && state === 'waiting') ? 0 : state === 'denied' ? 1 : undefined
}

/** @param {import('../main.js').Invocation} invocation */
export async function run({ options: { timeout = '', decided }, args: [id = ''], json, api, url }) {
  const until = performance.now() + wholeNumber('timeout', timeout, 0, MAX_SECONDS) * 1000
  const client = await api()
  let etag = ''
  let gate = null
  let obstacle = ''
  for (;;) {
    // What has not changed is neither read nor sent again.
    const patience = { ms: until - performance.now() }
    const response = await client.call('GET', `/gates/${encodeURIComponent(id)}`, {
      headers: { 'If-None-Match': etag },
      patience,
      answer: GATE,
    })
    if (response.status >= 400) throw failureOf(response, client)
    if (response.status === 200) {
      if (!gate) printProgress(`Waiting for “${onTerminal(response.body.name)}”: ${gatePage(response.body, url)}`)
      gate = response.body
      etag = response.headers.etag ?? ''
    }
    gate = await withClearance(client, gate, { patience })
    const exitCode = exitCodeOf(gate, decided !== undefined)
    if (exitCode !== undefined) {
      if (json) printJson(gate)
      else printResult(gateLines(gate, url).join('\n'))
      return exitCode
    }
    const before = obstacle
    obstacle = gate?.clearance ? onTerminal(gate.clearance.reasons?.join(' ') ?? '') : ''
    if (obstacle !== before) printProgress(`It is approved, and still waits: ${obstacle}`)
    const left = until - performance.now()
    if (left <= 0) {
      if (json) printJson(gate)
      const state = obstacle === '' ? 'pending' : `held back (${obstacle})`
      throw new Failure(`The gate is still ${state} after ${timeout} seconds.`, {
        code: 'timeout',
        next: `Wait again, for longer: ${programWith(`wait ${id} --timeout SECONDS`, client.url)}`,
      })
    }
    await pause(Math.min(POLL_MS, left), undefined)
  }
}
