import { wrongUsage } from '../support/failure.js'
import { printJson, printResult } from '../support/terminal.js'

/** @param {import('../main.js').Invocation} invocation */
export async function run({ options: { cost = '' }, args: [id = ''], json, api }) {
  const cost_usd = Number(cost)
  if (!/^\d*\.?\d+$/.test(cost.trim())) throw wrongUsage('--cost must be an amount in USD, such as 0.42.')
  const execution = await (await api()).ask('POST', `/executions/${encodeURIComponent(id)}/usage`, {
    body: { cost_usd },
    answer: { cost_usd: 0 },
  })
  if (json) printJson(execution)
  else printResult(`${execution.cost_usd} USD`)
}
