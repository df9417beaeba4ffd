import { GATE, gateLines, withClearance } from '../support/gates.js'
import { printJson, printResult } from '../support/terminal.js'

/** @param {import('../main.js').Invocation} invocation */
export async function run({ args: [id = ''], json, api, url }) {
  const client = await api()
  const gate = await withClearance(client, await client.ask('GET', `/gates/${encodeURIComponent(id)}`, { answer: GATE }))
  if (json) printJson(gate)
  else printResult(gateLines(gate, url).join('\n'))
}
