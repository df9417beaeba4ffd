/**
 * `bun run bench [part …] [--quick]`: measures Signalbox, in turns with a baseline where there is one.
 *
 * A slow machine is not a failure: the exit code is 0 whatever the figures are. It is 1 where a part fails, such as when a
 * dispatch is lost or an answer is not the expected one.
 */
import { once } from 'node:events'
import { availableParallelism, cpus } from 'node:os'
import { stopSignal } from '../cli/support/stop-signal.js'
import { type Row, table } from './bench/figures.ts'
import { openStage, type Part, startDatabase } from './bench/stage.ts'
import { answerHelp, Failure } from './support/command.ts'

const PARTS: Record<string, () => Promise<{ part: Part }>> = {
  requests: () => import('./bench/requests.ts'),
  sso: () => import('./bench/sso.ts'),
  dispatches: () => import('./bench/dispatches.ts'),
  latency: () => import('./bench/latency.ts'),
  search: () => import('./bench/search.ts'),
  tenants: () => import('./bench/tenants.ts'),
  promotion: () => import('./bench/promotion.ts'),
  citus: () => import('./bench/citus.ts'),
}
/** These take minutes. */
const ONLY_BY_NAME = ['tenants', 'promotion', 'citus']
const NAMES = Object.keys(PARTS).join(', ')

answerHelp(`npx --yes bun run bench [part …] [--quick]

Measures Signalbox, in turns with a baseline where there is one, on databases that are removed afterwards.

  --quick  small amounts and rough figures: checks within two minutes that the benchmark works

Parts: ${NAMES}.
${new Intl.ListFormat('en').format(ONLY_BY_NAME)} run only when they are named.`)

const named = process.argv.slice(2).filter((each) => each !== '--quick')
const quick = process.argv.includes('--quick')
const unknown = named.filter((name) => !PARTS[name])
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. Parts: ${NAMES}.`)
  process.exit(2)
}
let started = new AsyncDisposableStack()
const stopping = stopSignal()

async function run(): Promise<void> {
  const rows: Row[] = []
  const abouts = [
    `Bun ${Bun.version}, PostgreSQL with default settings (fsync and synchronous_commit on), ${availableParallelism()} cores (${cpus()[0]?.model}), everything on one machine.`,
    'Spread: between the lowest and the highest of the rounds, of the ratio if there is one. Figures with more than 10% are unreliable.',
    ...(quick ? ['--quick: smaller amounts than these.'] : []),
  ]
  for (const [name, load] of Object.entries(PARTS)) {
    if (named.length > 0 ? !named.includes(name) : ONLY_BY_NAME.includes(name)) continue
    if (stopping.aborted) return
    console.error(`${name} …`)
    // A part that fails is reported in the table; the other parts still run.
    try {
      const { part } = await load()
      rows.push(...(await part.run(await openStage(await startDatabase(started), quick, started))))
      abouts.push(`${name}: ${part.about}`)
    } catch (error) {
      process.exitCode = 1
      const note = `failed: ${error instanceof Failure ? error.message : error}`
      rows.push({ name, unit: '', value: [Number.NaN], note })
      console.error(`${name} ${note}`)
    }
    await started.disposeAsync()
    started = new AsyncDisposableStack()
  }
  console.log(`\n${table(rows)}\n\n${abouts.map((line) => `  ${line.replaceAll('\n', '\n    ')}`).join('\n')}\n`)
}

const stopped = once(stopping, 'abort').then(() => {
  throw new Failure('Stopped.')
})
try {
  await Promise.race([run(), stopped])
} catch (error) {
  process.exitCode = 1
  console.error(error instanceof Failure ? error.message : error)
}
// Work that a stop interrupts fails when its processes end; that needs no message.
process.on('unhandledRejection', () => {})
await started.disposeAsync()
process.exit()
