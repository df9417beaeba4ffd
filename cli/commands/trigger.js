import { wholeNumber } from '../support/numbers.js'
import { onTerminal, printJson, printProgress, printResult } from '../support/terminal.js'

/** @param {import('../main.js').Invocation} invocation */
export async function run({ options: { wait = '0', reason }, args: [id = ''], json, api, url }) {
  const seconds = wholeNumber('wait', wait, 0, 25)
  const client = await api()
  const dispatch = await client.ask('POST', `/deployment-hooks/${encodeURIComponent(id)}/trigger`, {
    answer: { id: '', event: '', status: '' },
    ...(reason && { body: { override: { reason } } }),
    ...(seconds > 0 && { headers: { Prefer: `wait=${seconds}` } }),
  })
  printProgress(`${onTerminal(dispatch.event)} is ${dispatch.status}: ${url}/app/dispatches/${dispatch.id}`)
  if (json) printJson(dispatch)
  else printResult(dispatch.id)
  return ['failed', 'cancelled'].includes(dispatch.status) ? 1 : 0
}
