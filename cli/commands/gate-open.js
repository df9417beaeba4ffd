import { readFileSync } from 'node:fs'
import { digestOf } from '../support/digest.js'
import { Failure, wrongUsage } from '../support/failure.js'
import { GATE, gatePage } from '../support/gates.js'
import { programWith } from '../support/program.js'
import { onTerminal, printJson, printProgress, printResult } from '../support/terminal.js'
import { decodeText } from '../support/text.js'

/** @param {string} file */
function evidenceIn(file) {
  try {
    return JSON.parse(decodeText(readFileSync(file === '-' ? 0 : file)))
  } catch (error) {
    throw new Failure(`The evidence cannot be read: ${onTerminal(/** @type {Error} */ (error).message)}`, {
      code: 'usage',
      next: 'It is a JSON object in UTF-8 or UTF-16, such as {"checks": [{"name": "unit tests", "state": "passed"}]}.',
    })
  }
}

/** @param {import('../main.js').Invocation} invocation */
export async function run({ options, json, api, url }) {
  const { execution, project, name, description, environment, digest, uri, version, evidence } = options
  if (!execution === !project) throw wrongUsage('Either --execution or --project is required.')
  if (!digest !== !uri) throw wrongUsage('--digest and --uri belong together.')
  if (version && !digest) throw wrongUsage('--version needs --digest and --uri, which it describes.')
  const body = {
    name,
    ...(description && { description }),
    ...(environment && { environment }),
    ...(digest && { subject: { uri, digest: digestOf(digest), ...(version && { version }) } }),
    ...(evidence && { evidence: evidenceIn(evidence) }),
  }
  const parent = execution ? `/executions/${encodeURIComponent(execution)}` : `/projects/${encodeURIComponent(project ?? '')}`
  const key = options['idempotency-key']
  const client = await api()
  const gate = await client
    .ask('POST', `${parent}/gates`, { body, headers: key ? { 'Idempotency-Key': key } : {}, answer: GATE })
    .catch((error) => {
      const [open] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(error.message) ?? []
      if (error.code === 'gate_open' && open) error.next = `Wait for it: ${programWith(`wait ${open}`, client.url)}`
      throw error
    })
  printProgress(`Opened “${onTerminal(gate.name)}”: ${gatePage(gate, url)}`)
  if (json) printJson(gate)
  else printResult(gate.id)
}
