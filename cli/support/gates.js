/** Gates, as they are printed. */
import { onTerminal, out } from './terminal.js'

/** What every answer with a gate has. */
export const GATE = { id: '', name: '', status: '', approvals: [{}] }

/** What every answer on whether one may go on has. */
const CLEARANCE = { state: '', reasons: [''] }

/** @param {any} gate */
const statusOf = ({ status, clearance }) => {
  if (status !== 'approved') return status === 'pending' ? out.strong(status) : out.red(status.replaceAll('_', ' '))
  if (clearance?.state === 'clear') return out.green(status)
  return out.red(clearance?.state === 'denied' ? 'approved, and no longer valid' : 'approved, and held back')
}

/**
 * An approved gate, with whether one may go on with what it is about.
 *
 * @param {Awaited<ReturnType<import('../main.js').Invocation['api']>>} client
 * @param {any} gate
 * @param {import('./api.js').ApiRequest} [options]
 */
export const withClearance = async (client, gate, options) =>
  gate?.status === 'approved'
    ? { ...gate, clearance: await client.ask('GET', `/gates/${gate.id}/clearance`, { ...options, answer: CLEARANCE }) }
    : gate

/**
 * A gate in lines: what is asked, for what, and who decided.
 *
 * @param {any} gate
 * @param {string} url of the service
 */
export function gateLines(gate, url) {
  const { subject, environment, approvals, comment, superseded_by, status, clearance } = gate
  const [[kind, hex] = []] = Object.entries(subject?.digest ?? {})
  return [
    `${out.strong(onTerminal(gate.name))}  ${statusOf(gate)}`,
    environment && `environment  ${onTerminal(environment)}`,
    subject && `subject      ${onTerminal(`${subject.version ?? ''} ${kind}:${hex} ${subject.uri}`.trim())}`,
    ...approvals.map(
      (/** @type {any} */ each) =>
        `approved by  ${onTerminal(`${each.name} (${each.via})${each.comment ? `: ${each.comment}` : ''}`)}${each.counts ? '' : '  (does not count)'}`,
    ),
    ...(status === 'approved' ? (clearance?.reasons ?? []) : []).map(
      (/** @type {string} */ reason) => `obstacle     ${onTerminal(reason)}`,
    ),
    comment && status !== 'approved' && `comment      ${onTerminal(comment)}`,
    status === 'pending' &&
      `missing      ${gate.required_approvals - approvals.filter((/** @type {any} */ each) => each.counts).length} of ${gate.required_approvals} approvals`,
    superseded_by && `replaced by  ${superseded_by}`,
    `page         ${gatePage(gate, url)}`,
  ].filter(Boolean)
}

/**
 * @param {{ id: string }} gate
 * @param {string} url of the service
 */
export const gatePage = ({ id }, url) => `${url}/app/gates/${id}`
