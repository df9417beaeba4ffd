/** How long one dispatch of a small tenant waits while another tenant has a flood queued. */
import { Failure } from '../support/failure.ts'
import { createHooks, type FloodTarget, notifyDrain, writeEvents } from './flood.ts'
import { localReceiver } from './local-receiver.ts'
import type { Part } from './part.ts'
import { createOrganization, type Stage, until } from './stage.ts'

const TIMEOUT_MS = 60_000
const PAUSE_MS = 50
const DEADLOCK = '40P01'

const scaleOf = (quick: boolean) =>
  quick ? { events: 10_000, probes: 5, maxHooks: 100 } : { events: 100_000, probes: 20, maxHooks: 500 }

/** Few hooks that answer at once; and enough slow ones to occupy every request that a worker may have in flight. */
const FLOODS = [
  { kind: 'fast', hooks: 20, answerMs: 0 },
  { kind: 'slow', hooks: 500, answerMs: 1_000 },
] as const

/** @returns milliseconds from the commit of one event to its arrival, for each probe; ends early when `goOn` is false */
async function probe({ sql }: Stage, target: FloodTarget, received: () => number, count: number, goOn: () => boolean) {
  const waits: number[] = []
  while (waits.length < count && goOn()) {
    const before = received()
    await writeEvents(sql, target, 1)
    const committed = performance.now()
    await notifyDrain(sql)
    await until('The dispatch arrives', async () => received() > before, TIMEOUT_MS, 1)
    waits.push(performance.now() - committed)
    await Bun.sleep(PAUSE_MS)
  }
  return waits
}

/** Removes what is left of the flood; tries again after a deadlock with the worker. */
async function removeFlood({ sql }: Stage, hooks: string[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await sql`delete from outbox where drained_at is null and name = 'gate.approved'`
      await sql`delete from deployment_hooks where id = any(${hooks}::uuid[])`
      return
    } catch (error) {
      if (tries === 100 || !(error instanceof Error && 'code' in error && error.code === DEADLOCK)) throw error
      await Bun.sleep(50)
    }
  }
}

async function measure(stage: Stage, { hooks, answerMs }: (typeof FLOODS)[number], quick: boolean) {
  const { events, probes, maxHooks } = scaleOf(quick)
  let floodReceived = 0
  let probesReceived = 0
  await using floodReceiver = localReceiver(() => floodReceived++, answerMs)
  await using probeReceiver = localReceiver(() => probesReceived++)
  const created: string[] = []
  try {
    const large = await createHooks(stage, floodReceiver.url, Math.min(hooks, maxHooks))
    const smallTenant = { ...stage.tenant, ...(await createOrganization(stage.api, 'Small')) }
    const small = await createHooks({ ...stage, tenant: smallTenant }, probeReceiver.url, 1)
    created.push(...large.hooks, ...small.hooks)
    const alone = await probe(
      stage,
      small,
      () => probesReceived,
      probes,
      () => true,
    )
    // PostgreSQL may analyze the small tables at any time; plans made from here on are kept while the tables grow.
    await stage.sql`vacuum (analyze)`
    await writeEvents(stage.sql, large, events)
    await notifyDrain(stage.sql)
    const beside = await probe(
      stage,
      small,
      () => probesReceived,
      probes,
      () => floodReceived < events,
    )
    if (beside.length === 0) throw new Failure(`The flood of ${events} ended before the first probe.`)
    return { alone: Math.max(...alone), beside: Math.max(...beside) }
  } finally {
    await removeFlood(stage, created)
  }
}

export const fairness: Part = {
  name: 'fairness',
  describe(quick) {
    const { events, probes, maxHooks } = scaleOf(quick)
    const kinds = FLOODS.map(({ hooks, answerMs }) => `${Math.min(hooks, maxHooks)} hooks that answer in ${answerMs} ms`)
    return `fairness    one event of a small tenant, from commit to arrival, ${probes} times; baseline: alone; measured: while another tenant's ${events.toLocaleString('en')} events are queued, to ${kinds.join(', then to ')}. The slowest counts.`
  },
  async run(stage, quick) {
    const rows = []
    for (const flood of FLOODS) {
      const { alone, beside } = await measure(stage, flood, quick)
      const name = `dispatch beside a flood to ${flood.kind} receivers, slowest`
      rows.push({ name, value: beside, unit: 'ms' as const, baseline: alone, atMost: 300 })
    }
    return rows
  },
}
