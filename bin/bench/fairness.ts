/** How long one dispatch of a small tenant waits while a large one has a hundred thousand queued. */
import { Failure } from '../support/failure.ts'
import { median, milliseconds, rounded } from './figures.ts'
import { askForDrain, makeHooks, type Target, writeEvents } from './flood.ts'
import type { Part } from './part.ts'
import { type Stage, until } from './stage.ts'

const LIMIT_MS = 300
const PATIENCE_MS = 60_000
const PAUSE_MS = 50

const scaleOf = (quick: boolean) =>
  quick ? { queued: 10_000, probes: 5, most: 100 } : { queued: 100_000, probes: 20, most: 500 }

/** Floods of one tenant: to few hooks that answer at once, and to so many slow ones that they could use all requests that a worker has in flight. */
const FLOODS = [
  { kind: 'quick', hooks: 20, answer_ms: 0 },
  { kind: 'slow', hooks: 500, answer_ms: 1_000 },
] as const

/** A receiver that counts its requests. */
function receiver(answer_ms: number) {
  let received = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      await request.arrayBuffer()
      received++
      if (answer_ms > 0) await Bun.sleep(answer_ms)
      return new Response('ok')
    },
  })
  return { url: server.url.origin, received: () => received, stop: () => server.stop(true) }
}

/** The same stage, with another organization on it. */
async function neighbour(stage: Stage): Promise<Stage> {
  const organization = await stage.api.post('/organizations', { name: 'Small' })
  const workspace = await stage.api.post(`/organizations/${organization.id}/workspaces`, { name: 'Small' })
  return { ...stage, tenant: { ...stage.tenant, organization, workspace } }
}

/**
 * @param holds whether the flood still runs; probing ends with it
 * @returns milliseconds from the commit of one event to its arrival, for each probe
 */
async function probe(
  stage: Stage,
  target: Target,
  arrived: () => number,
  count: number,
  holds: () => boolean,
): Promise<number[]> {
  const waits: number[] = []
  while (waits.length < count && holds()) {
    const before = arrived()
    await writeEvents(stage.sql, target, 1)
    const committed = performance.now()
    await askForDrain(stage.sql)
    await until('The dispatch arrives', async () => arrived() > before, PATIENCE_MS, 1)
    waits.push(performance.now() - committed)
    await Bun.sleep(PAUSE_MS)
  }
  return waits
}

/** Removes what is left of the flood. The worker may deadlock with that; it is tried again. */
async function takeAway({ sql }: Stage, hooks: string[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await sql`delete from outbox where drained_at is null and name = 'gate.approved'`
      await sql`delete from deployment_hooks where id = any(${hooks}::uuid[])`
      return
    } catch (error) {
      if (tries === 100 || !(error instanceof Error && 'code' in error && error.code === '40P01')) throw error
      await Bun.sleep(50)
    }
  }
}

async function measure(stage: Stage, { hooks: many, answer_ms }: (typeof FLOODS)[number], quick: boolean) {
  const { queued, probes, most } = scaleOf(quick)
  const large = receiver(answer_ms)
  const small = receiver(0)
  const hooks: string[] = []
  try {
    const flooded = await makeHooks(stage, large.url, Math.min(many, most))
    const quiet = await neighbour(stage)
    const target = await makeHooks(quiet, small.url, 1)
    hooks.push(...flooded.hooks, ...target.hooks)
    const alone = await probe(quiet, target, small.received, probes, () => true)
    // As PostgreSQL may do by itself at any moment: plans that are made from here on know of small tables, and are kept.
    await stage.sql`vacuum (analyze)`
    await writeEvents(stage.sql, flooded, queued)
    await askForDrain(stage.sql)
    const beside = await probe(quiet, target, small.received, probes, () => large.received() < queued)
    if (beside.length === 0) throw new Failure(`The ${queued} were over before the first probe.`)
    return { alone, beside, left: queued - large.received() }
  } finally {
    await takeAway(stage, hooks)
    await Promise.all([large.stop(), small.stop()])
  }
}

export const fairness: Part = {
  name: 'fairness',
  conditions: (quick) =>
    `fairness  one event of a small tenant, ${scaleOf(quick).probes} times, alone and while ${scaleOf(quick).queued.toLocaleString('en')} of another were committed at once: ${FLOODS.map(({ hooks, answer_ms }) => `to ${Math.min(hooks, scaleOf(quick).most)} hooks that answer in ${answer_ms} ms`).join(', then ')}; from commit to arrival.`,
  async run(stage, quick) {
    const rows = []
    const figures: Record<string, Record<string, number>> = {}
    for (const flood of FLOODS) {
      const { alone, beside, left } = await measure(stage, flood, quick)
      const slowest = Math.max(...beside)
      rows.push({
        name: `a dispatch beside another tenant's flood to ${flood.kind} receivers, slowest`,
        ours: milliseconds(slowest),
        baseline: `${milliseconds(Math.max(...alone))} without`,
        limit: `≤ ${LIMIT_MS} ms`,
      })
      figures[`beside_${flood.kind}_flood_ms`] = {
        median: rounded(median(beside)),
        slowest: rounded(slowest),
        alone: rounded(median(alone)),
        left,
      }
    }
    return { rows, figures }
  },
}
