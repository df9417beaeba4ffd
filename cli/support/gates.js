/** Gates, as they are printed. */
import { onTerminal, out } from './terminal.js'

/** @param {any} gate */
const statusOf = ({ status }) => {
  const word = status.replaceAll('_', ' ')
  return status === 'approved' ? out.green(word) : status === 'pending' ? out.strong(word) : out.red(word)
}

/**
 * A gate in lines: what is asked, for what, and who decided.
 *
 * @param {any} gate
 * @param {string} url of the service
 */
export function gateLines(gate, url) {
  const { subject, environment, approvals, comment, superseded_by } = gate
  const [[kind, hex] = []] = Object.entries(subject?.digest ?? {})
  return [
    `${out.strong(onTerminal(gate.name))}  ${statusOf(gate)}`,
    environment && `environment  ${onTerminal(environment)}`,
    subject && `subject      ${onTerminal(`${subject.version ?? ''} ${kind}:${hex} ${subject.uri}`.trim())}`,
    ...approvals.map(
      (/** @type {any} */ each) =>
        `approved by  ${onTerminal(`${each.name} (${each.via})${each.comment ? `: ${each.comment}` : ''}`)}`,
    ),
    comment && gate.status !== 'approved' && `comment      ${onTerminal(comment)}`,
    gate.status === 'pending' &&
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
