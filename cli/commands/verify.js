import { digestText } from '../support/digest.js'
import { Failure } from '../support/failure.js'
import { onTerminal, out, printJson, printResult } from '../support/terminal.js'

/** @param {import('../main.js').Invocation} invocation */
export async function run({ options: { project = '', environment, digest = '' }, json, api }) {
  const body = { environment, digest: digestText(digest) }
  const verdict = await (await api()).ask('POST', `/projects/${encodeURIComponent(project)}/verify`, { body, keyless: true })
  // Anything but a clear yes or no, such as the page of a proxy, is no answer.
  if (typeof verdict?.allowed !== 'boolean') throw new Failure('This is not an answer of Signalbox.', { next: 'Check the URL.' })
  if (json) printJson(verdict)
  else if (verdict.allowed) printResult(`${out.green('allowed')}  by gate ${verdict.gate_id}`)
  else
    printResult([out.red('denied'), ...verdict.reasons.map((/** @type {string} */ each) => `  ${onTerminal(each)}`)].join('\n'))
  return verdict.allowed ? 0 : 1
}
