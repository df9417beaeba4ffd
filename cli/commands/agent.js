/**
 * Claims the dispatches of a pull hook and runs a command for each, for CI systems that cannot be reached from outside. A lease
 * is never extended: a command that takes longer is stopped, since another agent gets the dispatch then.
 */
import { lastReports, reporter } from '../agent/reports.js'
import { runCommand } from '../agent/run-command.js'
import { acknowledge, claim, doneBefore } from '../support/dispatches.js'
import { wrongUsage } from '../support/failure.js'
import { wholeNumber } from '../support/numbers.js'
import { stopSignal } from '../support/stop-signal.js'
import { err, onTerminal, printJson, printProgress, printStep } from '../support/terminal.js'

/** The exit code with which a command asks for another attempt: EX_TEMPFAIL of sysexits.h. */
const TRY_AGAIN = 75
/** How long before the end of its lease a command is stopped. */
const MARGIN_MS = 5_000
/** How long a command may take after the agent has received a signal to stop. Platforms kill a process 30 seconds after SIGTERM. */
const GRACE_MS = 20_000

/**
 * @param {number} exitCode
 * @returns {import('../support/dispatches.js').Outcome}
 */
const outcomeOf = (exitCode) => (exitCode === 0 ? 'succeeded' : exitCode === TRY_AGAIN ? 'retry' : 'failed')

/** @param {string} what */
const step = (what) => printStep('agent', what, process.stderr)

/**
 * Runs the command for a dispatch.
 *
 * @param {string} url that the agent claims from
 * @param {string[]} command
 * @param {number} leaseSeconds
 * @param {import('../support/dispatches.js').Claimed} claimed
 * @param {AbortSignal} stopping
 * @param {NodeJS.WriteStream} stdout
 * @returns {Promise<{ exitCode: number | null, output: string, outcome: import('../support/dispatches.js').Outcome | null }>} `outcome` is null if its lease ended
 */
async function runWithin(url, command, leaseSeconds, claimed, stopping, stdout) {
  const givenUp = new AbortController()
  const nearlyOver = AbortSignal.timeout(leaseSeconds * 1000 - MARGIN_MS)
  nearlyOver.addEventListener('abort', () => givenUp.abort(), { once: true })
  /** @type {NodeJS.Timeout | undefined} */
  let grace
  const startGrace = () => {
    grace = setTimeout(() => givenUp.abort(), GRACE_MS)
  }
  stopping.addEventListener('abort', startGrace, { once: true })
  if (stopping.aborted) startGrace()
  const { exitCode, output } = await runCommand(command, here(url, claimed), givenUp.signal, stdout).catch((error) => ({
    exitCode: 127,
    output: /** @type {Error} */ (error).message,
  }))
  clearTimeout(grace)
  stopping.removeEventListener('abort', startGrace)
  if (exitCode === null) return { exitCode, output, outcome: nearlyOver.aborted ? null : 'retry' }
  return { exitCode, output, outcome: outcomeOf(exitCode) }
}

/**
 * A dispatch whose report goes to the address that the agent can reach.
 *
 * @param {string} url
 * @param {import('../support/dispatches.js').Claimed} claimed
 */
const here = (url, { payload, headers, dispatch: { id } }) => ({
  payload,
  headers: {
    ...headers,
    ...(headers['X-Signalbox-Report-Url'] && { 'X-Signalbox-Report-Url': `${url}/api/v1/dispatches/${id}/report` }),
  },
})

/**
 * Runs the command for a dispatch, unless it did before, and acknowledges it.
 *
 * @param {import('../support/api.js').Api} client
 * @param {string[]} command
 * @param {number} leaseSeconds
 * @param {import('../support/dispatches.js').Claimed} claimed
 * @param {AbortSignal} stopping
 * @param {boolean} json
 */
async function work(client, command, leaseSeconds, claimed, stopping, json) {
  const { id, event } = claimed.dispatch
  // Counted from now, whatever this machine's clock says: it need not agree with `lease_until`.
  const lease = AbortSignal.timeout(leaseSeconds * 1000)
  step(`${onTerminal(event)} ${err.dim(onTerminal(id))}`)
  const before = doneBefore(claimed)
  if (before) {
    const refusal = await acknowledge(client, claimed, before.outcome, before.detail, lease)
    step(
      refusal
        ? `could not acknowledge: ${refusal}`
        : `the command ran before; only its acknowledgement was lost: ${before.outcome}`,
    )
    if (json) printJson({ dispatch_id: id, event, exit_code: null, outcome: refusal ? null : before.outcome })
    return
  }
  const report = reporter(client.url, claimed, step)
  report('in_progress')
  const stdout = json ? process.stderr : process.stdout
  const { exitCode, output, outcome } = await runWithin(client.url, command, leaseSeconds, claimed, stopping, stdout)
  const result = { dispatch_id: id, event, exit_code: exitCode }
  if (outcome === null) {
    step('the lease ends, so the command was stopped; the dispatch will be attempted again')
    if (json) printJson({ ...result, outcome })
    return
  }
  if (outcome !== 'retry') report(outcome)
  const refusal = await acknowledge(client, claimed, outcome, output, lease)
  if (refusal) step(`could not acknowledge: ${refusal}`)
  step(`${exitCode === null ? 'stopped and given back' : `exit code ${exitCode}`}: ${outcome}`)
  if (json) printJson({ ...result, outcome: refusal ? null : outcome })
}

/** @param {import('../main.js').Invocation} invocation */
export async function run({ options: { hook = '', lease = '' }, after: command, json, api, url }) {
  const lease_seconds = wholeNumber('lease', lease, 30, 3600)
  if (command.length === 0) throw wrongUsage('The command is missing: write it after --.')
  const stopping = stopSignal()
  const client = await api()
  printProgress(`\n  Claiming from ${err.strong(url)} ${err.dim('Ctrl-C stops after the running command.')}\n`)
  try {
    while (!stopping.aborted) {
      const [claimed] = await claim(client, hook, { limit: 1, lease_seconds }, stopping)
      if (claimed) await work(client, command, lease_seconds, claimed, stopping, json)
    }
  } finally {
    await lastReports()
  }
}
