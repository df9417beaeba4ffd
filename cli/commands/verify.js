import { digestText } from '../support/digest.js'
import { onTerminal, out, printJson, printResult } from '../support/terminal.js'

/** @param {import('../main.js').Invocation} invocation */
export async function run({ options: { project = '', environment, digest = '' }, json, api }) {
  const body = { environment, digest: digestText(digest) }
  const path = `/projects/${encodeURIComponent(project)}/verify`
  const verdict = await (await api()).ask('POST', path, { body, keyless: true, answer: { allowed: true, reasons: [''] } })
  if (json) printJson(verdict)
  else if (verdict.allowed) printResult(`${out.green('allowed')}  by gate ${verdict.gate_id}`)
  else
    printResult([out.red('denied'), ...verdict.reasons.map((/** @type {string} */ each) => `  ${onTerminal(each)}`)].join('\n'))
  return verdict.allowed ? 0 : 1
}
