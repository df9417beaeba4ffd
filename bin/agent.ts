/**
 * `bun run agent`: claims the dispatches of a pull hook and runs a command for each, for CI systems that cannot be reached from
 * outside. A lease is never extended: a command that takes longer is stopped, since another agent gets the dispatch then.
 */
import { acknowledge, type ClaimedDispatch, claim, type Outcome, report } from './agent/client.ts'
import { type Options, readOptions, USAGE } from './agent/options.ts'
import { runCommand } from './agent/run-command.ts'
import { Failure } from './support/failure.ts'
import { answerHelp } from './support/help.ts'
import { stopSignal } from './support/stop-signal.ts'
import { onTerminal } from './support/terminal.ts'
import { dim, printStep, strong } from './support/timeline.ts'

answerHelp(USAGE)

/** The exit code with which a command asks for another attempt: EX_TEMPFAIL of sysexits.h. */
const TRY_AGAIN = 75
/** How long before the end of its lease a command is stopped. */
const MARGIN_MS = 5_000
/** How long a command may take after the agent was told to stop. Platforms kill a process 30 seconds after SIGTERM. */
const GRACE_MS = 20_000

const outcomeOf = (exitCode: number): Outcome => (exitCode === 0 ? 'succeeded' : exitCode === TRY_AGAIN ? 'retry' : 'failed')

/** Runs the command for a dispatch, and acknowledges it. */
async function work(options: Options, claimed: ClaimedDispatch, stopping: AbortSignal): Promise<void> {
  const { id, event } = claimed.dispatch
  // Counted from now, whatever this machine's clock says: it need not agree with `lease_until`.
  const lease = AbortSignal.timeout(options.lease_seconds * 1000)
  const nearlyOver = AbortSignal.timeout(options.lease_seconds * 1000 - MARGIN_MS)
  const givenUp = new AbortController()
  let grace: Timer | undefined
  const startGrace = () => {
    grace = setTimeout(() => givenUp.abort(), GRACE_MS)
  }
  stopping.addEventListener('abort', startGrace, { once: true })
  if (stopping.aborted) startGrace()
  printStep('agent', `${onTerminal(event)} ${dim(onTerminal(id))}`)
  const begun = report(claimed, 'in_progress', lease)
  const { exitCode, output } = await runCommand(options.command, claimed, AbortSignal.any([nearlyOver, givenUp.signal])).catch(
    (error: Error) => ({ exitCode: 127, output: error.message }),
  )
  await begun
  clearTimeout(grace)
  stopping.removeEventListener('abort', startGrace)
  if (exitCode === null && nearlyOver.aborted) {
    printStep('agent', 'the lease ends, so the command was stopped; the dispatch will be attempted again')
    return
  }
  const outcome = exitCode === null ? 'retry' : outcomeOf(exitCode)
  if (outcome !== 'retry') await report(claimed, outcome, lease)
  await acknowledge(options, claimed, outcome, output, lease)
  printStep('agent', `${exitCode === null ? 'stopped and given back' : `exit code ${exitCode}`}: ${outcome}`)
}

async function run(options: Options, stopping: AbortSignal): Promise<void> {
  console.log(`\n  Claiming from ${strong(options.url)} ${dim('Ctrl-C stops after the running command.')}\n`)
  while (!stopping.aborted) {
    const claimed = await claim(options, stopping)
    if (claimed) await work(options, claimed, stopping)
  }
}

let exitCode = 0
try {
  await run(readOptions(process.argv.slice(2)), await stopSignal())
} catch (error) {
  exitCode = 1
  console.error(error instanceof Failure ? error.message : error)
}
process.exit(exitCode)
