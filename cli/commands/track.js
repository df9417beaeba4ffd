import { onTerminal, out, printJson, printResult } from '../support/terminal.js'

/** @typedef {{ digest: { gitCommit?: string, sha256?: string }, version: string | null }} Subject */

/** @param {string | null} version */
const versionText = (version) => (version === null ? 'a version that was not reported' : onTerminal(version))

/** @param {Subject} subject */
const subjectText = ({ version, digest: { gitCommit, sha256 } }) =>
  onTerminal(version ?? (gitCommit === undefined ? `sha256:${sha256?.slice(0, 12)}` : gitCommit.slice(0, 12)))

/** @param {string} instant */
const minute = (instant) => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`

/** @type {Record<string, (text: string) => string>} */
const TONES = { failed: out.red, not_delivered: out.red, in_progress: out.yellow, unknown: out.yellow, awaiting: out.yellow }

/** What the last rollout came to, where it is not what runs. @param {any} place */
function latestLine({ current, latest }) {
  if (latest === null || latest.at === current?.at) return []
  const tone = TONES[latest.state] ?? out.dim
  return [`last rollout: ${versionText(latest.version)} ${tone(latest.state.replace('_', ' '))}, ${minute(latest.at)}`]
}

/** What may come next. @param {any} place */
function candidateLine({ candidate }) {
  if (candidate === null) return []
  const { subject, state, since, soak_until } = candidate
  const what = subjectText(subject)
  switch (state) {
    case 'soaking':
      return [`next: ${what}, ${out.yellow('soaking')} until ${minute(soak_until)}`]
    case 'failed':
      return [`next: ${what} ${out.red('failed')} in the environment before`]
    case 'waiting':
      return [`next: ${what}, at a gate`]
    default:
      return [`next: ${what} is ${out.green('ready')}; it has run in the environment before since ${minute(since)}`]
  }
}

/** What stands before an environment. @param {any} place */
function gateLines({ gates, gates_count, freeze, held_until }) {
  const lines = gates.map((/** @type {any} */ gate) => {
    const mark = gate.waits_for_you ? ` ${out.yellow('needs you')}` : ''
    return `gate: ${onTerminal(gate.name)}, ${gate.approvals} of ${gate.required_approvals} approvals${mark}  ${out.dim(gate.id)}`
  })
  const more = gates_count > gates.length ? [`${gates_count - gates.length} more gates`] : []
  const names = freeze?.names.length > 0 ? `: ${onTerminal(freeze.names.join(', '))}` : ''
  const frozen = freeze === null ? [] : [`${out.yellow('frozen')} until ${minute(freeze.until)}${names}`]
  const held = held_until === null || held_until === freeze?.until ? [] : [`held back until ${minute(held_until)}`]
  return [...lines, ...more, ...frozen, ...held]
}

/** @param {any} place */
function placeLines(place) {
  const { environment, current } = place
  const runs = current === null ? out.dim('nothing reported') : `${versionText(current.version)}, since ${minute(current.at)}`
  const below = [...candidateLine(place), ...gateLines(place), ...latestLine(place)]
  return [`${out.strong(onTerminal(environment))}  ${runs}`, ...below.map((line) => `  ${line}`)]
}

/** @param {any} work */
function workLines({ running, awaiting_gate, executions }) {
  const named = executions.map(
    (/** @type {any} */ { agent, requirement: { number, title } }) =>
      `  #${number} ${onTerminal(title)}  ${out.dim(onTerminal(agent))}`,
  )
  return [`${out.strong('in work')}  ${running} running, ${awaiting_gate} waiting at a gate`, ...named]
}

/** @param {import('../main.js').Invocation} invocation */
export async function run({ options: { project = '' }, json, api }) {
  const path = `/projects/${encodeURIComponent(project)}/track`
  const track = await (await api()).ask('GET', path, { answer: { environments: [{ environment: '' }] } })
  if (json) printJson(track)
  else printResult([...workLines(track.work), ...track.environments.flatMap(placeLines)].join('\n'))
}
