import { gateLines } from '../support/gates.js'
import { printJson, printResult } from '../support/terminal.js'

/** @param {import('../main.js').Invocation} invocation */
export async function run({ args: [id = ''], json, api, url }) {
  const gate = await (await api()).ask('GET', `/gates/${encodeURIComponent(id)}`)
  if (json) printJson(gate)
  else printResult(gateLines(gate, url).join('\n'))
}
